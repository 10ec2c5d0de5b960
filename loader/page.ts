import type { FetchSession } from './contract.ts'

/** What a page calls: methods by name. */
export type Api = Record<string, unknown>

export const page = window as unknown as { sendwright?: Api | undefined }
const { currentScript } = document
// A module has no current script, and a picture of that name would be found in its place.
const found = (
  currentScript?.localName === 'script' ? currentScript : document.querySelector('script[data-embed]')
) as HTMLScriptElement | null

/** The script tag; without it there is no `source`, and the loader does nothing. */
export const script = found!
/** Address of the files by the tag: a script that imports the loader has no `src`. */
// oxlint-disable-next-line typescript/prefer-nullish-coalescing -- one without a `src` has an empty one
export const source = found?.src || found?.dataset['api']
/** Aborted when the page calls `destroy`. */
export const ending = new AbortController()
/** The page's own way to a session, where it has set one. */
export let fetchSession: FetchSession | undefined
export const auth = (given: FetchSession) => void (fetchSession = given)

export const prefix = 'data-sendwright'

/** Sets an attribute of the loader; null and undefined remove it. */
export function set(element: Element, name: string, value?: string | null): void {
  if (value === undefined || value === null) element.removeAttribute(prefix + name)
  else element.setAttribute(prefix + name, value)
}
