/** A browser's cookies, by host, to follow redirects without a browser. */
export class CookieJar {
  readonly #byHost = new Map<string, Map<string, string>>()

  /** One request without following redirects; sends the cookies and stores those of the response. */
  async fetch(url: string, options: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const kept = this.#byHost.get(host) ?? new Map<string, string>()
    this.#byHost.set(host, kept)
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(options.headers as Record<string, string> | undefined), ...(cookie !== '' && { cookie }) }
    const response = await fetch(url, { ...options, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s)
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) kept.delete(name)
      else kept.set(name, value)
    }
    return response
  }

  /** Follows redirects up to a response without one, or to an address accepted by `until`; returns that address. */
  async follow(url: string, until: (url: URL) => boolean): Promise<URL> {
    let at = new URL(url)
    for (let hops = 0; hops < 20; hops++) {
      if (until(at)) return at
      const response = await this.fetch(at.href)
      await response.body?.cancel()
      const location = response.headers.get('location')
      if (location === null) return at
      at = new URL(location, at)
    }
    throw new Error('Too many redirects.')
  }
}
