/** The way back to the list. */
export function BackToEmbeds() {
  return (
    <a className="embeds-back" href="#all">
      ← All embeds
    </a>
  )
}
