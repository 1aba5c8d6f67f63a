/** Discord's message components, classic and version 2, as controls. Numbers are Discord's component types. */
import { dots, h, icon, picturePath, webAddress } from "./dom.js";
import { link, markdown } from "./markdown.js";
import { closePopup, openPopup } from "./popup.js";
import { file, gallery, picture } from "./pictures.js";
import { nameOf } from "./people.js";

const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary link-button", 6: "primary" };

const emojiText = (emoji) => (!emoji ? "" : emoji.id ? `:${emoji.name}:` : emoji.name);

/** Return the element of a component, or null for an unknown type. context: {chat, message, names} */
export function component(data, context) {
  return BUILDERS[data.type]?.(data, context) ?? h("p", { class: "unknown" }, `[component of type ${Number(data.type)} is not shown here]`);
}

const componentsOf = (list, context) => (list ?? []).map((data) => component(data, context));

function button(data, { chat, message, names }) {
  const emoji = emojiText(data.emoji);
  const content = [emoji ? h("span", { class: "emoji" }, emoji) : null, data.label ? h("span", {}, data.label) : null];
  const style = `button ${BUTTON_STYLES[data.style] ?? "secondary"}`;
  if (data.url) {
    const address = webAddress(data.url);
    if (!address || data.disabled) return h("button", { type: "button", class: style, disabled: true }, content);
    const anchor = link(address, names, content, icon("window"));
    anchor.className = style;
    return anchor;
  }
  const waiting = chat.isWaiting(message.id, data.custom_id);
  const failed = chat.failures.get(message.id)?.custom_id === data.custom_id;
  const press = () => chat.sendInteraction("press", { channel_id: message.channel_id, message_id: message.id, custom_id: data.custom_id });
  return h(
    "button",
    {
      type: "button",
      class: `${style} ${waiting ? "waiting" : ""} ${failed ? "failed" : ""}`,
      disabled: Boolean(data.disabled),
      "aria-busy": waiting && "true",
      "aria-label": data.label ? null : emoji || "button",
      "data-custom-id": data.custom_id,
      onclick: () => waiting || press(),
    },
    content,
    waiting ? dots() : null,
  );
}

/** The options of a select: its own, or people or channels for those types. */
function optionsOf(data, { chat }) {
  const people = () => [...chat.members.values()].map((user) => ({ value: user.id, label: nameOf(user) }));
  const channels = () => chat.guildChannels().map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  return { 3: () => data.options ?? [], 5: people, 7: people, 8: channels }[data.type]?.() ?? [];
}

function select(data, context) {
  const { chat, message } = context;
  const options = optionsOf(data, context);
  const minimum = data.min_values ?? 1;
  const maximum = data.max_values ?? 1;
  const waiting = chat.isWaiting(message.id, data.custom_id);
  const failed = chat.failures.get(message.id)?.custom_id === data.custom_id;
  const sent = [...chat.waiting.values()].find((other) => other.message_id === message.id && other.custom_id === data.custom_id);
  const chosen = new Set(sent?.values ?? options.filter((option) => option.default).map((option) => option.value));
  const shown = options.filter((option) => chosen.has(option.value)).map((option) => option.label).join(", ");

  const send = (values) =>
    chat.sendInteraction("choose", { channel_id: message.channel_id, message_id: message.id, custom_id: data.custom_id, values });

  const box = h(
    "button",
    {
      type: "button",
      class: `select ${waiting ? "waiting" : ""} ${failed ? "failed" : ""} ${shown ? "" : "empty"}`,
      disabled: Boolean(data.disabled),
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": [data.placeholder ?? "Make a selection", shown].filter(Boolean).join(": "),
      "data-custom-id": data.custom_id,
      onclick: () => waiting || (maximum > 1 ? pickSeveral() : pickOne()),
    },
    h("span", { class: "select-text" }, shown || data.placeholder || "Make a selection"),
    waiting ? dots() : icon("down"),
  );

  const optionContent = (option) => [
    option.emoji ? h("span", { class: "emoji" }, emojiText(option.emoji)) : null,
    h("span", { class: "option-text" }, h("span", {}, option.label), option.description ? h("small", {}, option.description) : null),
  ];

  function pickOne() {
    const rows = options.map((option) => {
      const choose = () => {
        closePopup();
        send([option.value]);
      };
      const selected = String(chosen.has(option.value));
      return h("button", { type: "button", class: "option", role: "option", "aria-selected": selected, onclick: choose }, optionContent(option));
    });
    openPopup(box, rows, { label: data.placeholder ?? "Options", role: "listbox" });
  }

  function pickSeveral() {
    const marked = new Set(chosen);
    const count = h("span", { class: "count", role: "status" });
    const done = h("button", { type: "button", class: "button primary", onclick: () => closePopup() }, "Done");
    const rows = options.map((option) => {
      const row = h("button", { type: "button", class: "option", role: "option" }, h("span", { class: "tick", "aria-hidden": "true" }), optionContent(option));
      row.addEventListener("click", () => {
        if (marked.has(option.value)) marked.delete(option.value);
        else if (marked.size < maximum) marked.add(option.value);
        draw();
      });
      return [row, option.value];
    });
    const draw = () => {
      for (const [row, value] of rows) row.setAttribute("aria-selected", String(marked.has(value)));
      count.textContent = minimum === maximum ? `${marked.size} of ${maximum}` : `${marked.size} (${minimum} to ${maximum})`;
      done.disabled = marked.size < minimum;
    };
    draw();
    const list = h("div", { role: "listbox", "aria-multiselectable": "true", class: "option-list" }, rows.map(([row]) => row));
    const onClose = (cancelled) => {
      const same = marked.size === chosen.size && [...marked].every((value) => chosen.has(value));
      if (!cancelled && !same && marked.size >= minimum) send(options.map((option) => option.value).filter((value) => marked.has(value)));
    };
    openPopup(box, [list, h("div", { class: "popup-foot" }, count, done)], { label: data.placeholder ?? "Options", onClose });
  }

  return box;
}

function container(data, context) {
  const box = h("div", { class: "container" }, componentsOf(data.components, context));
  if (Number.isInteger(data.accent_color)) box.style.borderLeftColor = `#${data.accent_color.toString(16).padStart(6, "0")}`;
  return box;
}

function media(item, { message }) {
  const address = item.media?.url ?? "";
  const name = address.startsWith("attachment://") ? address.slice("attachment://".length) : null;
  const attachment = message.attachments?.find((other) => other.filename === name || other.url === address);
  return {
    path: picturePath(attachment?.url ?? address),
    alt: item.description ?? attachment?.description ?? "",
    width: attachment?.width ?? item.media?.width,
    height: attachment?.height ?? item.media?.height,
  };
}

const BUILDERS = {
  1: (data, context) => h("div", { class: "row" }, componentsOf(data.components, context)),
  2: button,
  3: select,
  5: select,
  7: select,
  8: select,
  9: (data, context) =>
    h("div", { class: "section" }, h("div", { class: "section-text" }, componentsOf(data.components, context)), data.accessory ? component(data.accessory, context) : null),
  10: (data, { names }) => h("div", { class: "markup" }, markdown(data.content ?? "", names)),
  11: (data, context) => picture(media(data, context), "thumbnail"),
  12: (data, context) => gallery((data.items ?? []).map((item) => media(item, context))),
  13: (data, context) => file(data.name ?? data.file?.url?.split("/").pop() ?? "file", media({ media: data.file }, context).path),
  14: (data) => h("hr", { class: `separator ${data.divider === false ? "blank" : ""} ${data.spacing === 2 ? "wide" : ""}` }),
  17: container,
};
