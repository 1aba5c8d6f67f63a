/** Names, colours and avatars of members. */
import { h } from "./dom.js";

const COLOURS = ["#2f7ea8", "#8a6bbf", "#b8694c", "#3f8f6b", "#a8557f", "#6f7f3a", "#9a7b2d", "#4f6fc4"];

export const nameOf = (user) => user.nick ?? user.global_name ?? user.username ?? user.name ?? "someone";

export function colourOf(user) {
  const { colour } = user;
  if (typeof colour === "string" && /^#[0-9a-f]{6}$/i.test(colour)) return colour;
  if (typeof colour === "number" && colour > 0) return `#${colour.toString(16).padStart(6, "0")}`;
  return user.bot ? "#1f5f7d" : COLOURS[Number(BigInt(user.id ?? 0) % 8n)];
}

/** White or black, the one with more contrast to a colour. */
function textColourOn(colour) {
  const part = (at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2;
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.3 ? "#111" : "#fff";
}

/** A disc with the first letter, which needs no picture. */
export function avatar(user, size = "") {
  const disc = h("span", { class: `avatar ${size} ${user.bot ? "machine" : ""}`, "aria-hidden": "true" });
  disc.style.backgroundColor = colourOf(user);
  disc.style.color = textColourOn(colourOf(user));
  disc.textContent = user.bot ? "✦" : [...nameOf(user)][0]?.toUpperCase() ?? "?";
  return disc;
}

export const botTag = (user) => (user.bot ? h("span", { class: "bot-tag" }, "BOT") : null);
