/** Attachments and embeds: pictures with their alt text, files, and embed cards. */
import { h, icon, picturePath, webAddress } from "./dom.js";
import { inline, link, markdown } from "./markdown.js";
import { openPicture } from "./popup.js";
import { clock } from "./when.js";

/** A figure of {path, alt, width, height} that opens large; the button ALT shows its alt text. */
export function picture({ path, alt, width, height }, kind = "") {
  if (!path) return h("p", { class: "unknown" }, "[a picture from elsewhere is not loaded]");
  const image = h("img", { src: path, alt: alt ?? "", width, height, loading: "eager", decoding: "async" });
  const large = h("button", { type: "button", class: "picture-button", "aria-label": `Enlarge: ${alt || "picture"}`, onclick: () => openPicture(path, alt ?? "") }, image);
  const figure = h("figure", { class: `picture ${kind}` }, large);
  if (alt && kind !== "thumbnail") {
    const text = h("figcaption", { hidden: true }, alt);
    const tag = h("button", { type: "button", class: "alt-tag", title: alt, "aria-expanded": "false", "aria-label": "Show the description" }, "ALT");
    tag.addEventListener("click", () => {
      text.hidden = !text.hidden;
      tag.setAttribute("aria-expanded", String(!text.hidden));
    });
    figure.append(tag, text);
  }
  return figure;
}

export const gallery = (items) => h("div", { class: `gallery ${items.length > 1 ? "many" : ""}` }, items.map((item) => picture(item)));

export const file = (name, path, size) =>
  h("a", { class: "file", href: path, download: name }, icon("down"), h("span", {}, name), size ? h("small", {}, `${Math.ceil(size / 1024)} KB`) : null);

const isPicture = (attachment) => attachment.content_type?.startsWith("image/") ?? /\.(png|jpe?g|gif|webp)$/i.test(attachment.filename ?? "");

/** The attachments that no embed or component shows. */
export function attachments(message) {
  const used = new Set();
  for (const embed of message.embeds ?? []) for (const media of [embed.image, embed.thumbnail]) if (media?.url) used.add(media.url);
  const unused = (message.attachments ?? []).filter((item) => !used.has(item.url) && !used.has(`attachment://${item.filename}`));
  const pictures = unused.filter(isPicture).map((item) => ({ path: picturePath(item.url), alt: item.description ?? "", width: item.width, height: item.height }));
  const files = unused.filter((item) => !isPicture(item)).map((item) => file(item.filename, picturePath(item.url), item.size));
  return [pictures.length ? gallery(pictures) : null, ...files];
}

function embedPicture(media, message, kind) {
  if (!media?.url) return null;
  const name = media.url.startsWith("attachment://") ? media.url.slice("attachment://".length) : null;
  const attachment = message.attachments?.find((item) => item.filename === name || item.url === media.url);
  const path = picturePath(attachment?.url ?? media.url);
  return picture({ path, alt: media.description ?? attachment?.description ?? "", width: media.width ?? attachment?.width, height: media.height ?? attachment?.height }, kind);
}

/** One embed as a card. */
export function embed(data, message, names) {
  const address = data.url && webAddress(data.url);
  const title = data.title && inline(data.title, names);
  const fields = (data.fields ?? []).map((field) =>
    h("div", { class: `field ${field.inline ? "inline" : ""}` }, h("h4", {}, inline(field.name ?? "", names)), h("div", { class: "markup" }, markdown(field.value ?? "", names))),
  );
  const foot = [data.footer?.text, data.timestamp ? clock(data.timestamp) : null].filter(Boolean);
  const card = h(
    "article",
    { class: "embed" },
    embedPicture(data.thumbnail, message, "thumbnail"),
    data.author?.name ? h("p", { class: "embed-author" }, data.author.name) : null,
    title ? h("h3", {}, address ? link(address, names, title) : title) : null,
    data.description ? h("div", { class: "markup" }, markdown(data.description, names)) : null,
    fields.length ? h("div", { class: "fields" }, fields) : null,
    embedPicture(data.image, message, ""),
    foot.length ? h("p", { class: "embed-foot" }, foot[0], foot[1] ? [" · ", foot[1]] : null) : null,
  );
  if (Number.isInteger(data.color)) card.style.borderLeftColor = `#${data.color.toString(16).padStart(6, "0")}`;
  return card;
}
