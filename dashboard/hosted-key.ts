/** The key that reads the global templates, as the server wrote it into the page; empty without one. */
export function readHostedKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=sendwright-hosted-key]')?.content ?? ''
}
