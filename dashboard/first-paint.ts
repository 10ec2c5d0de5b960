// Runs before the first paint, as a plain script of our own origin: an inline one would be refused by the content policy.
{
  const read = (key: string): string | null => {
    try {
      return localStorage.getItem(key) ?? sessionStorage.getItem(key)
    } catch {
      return null // Storage is disabled: the system's scheme, and no session.
    }
  }
  const { dataset } = document.documentElement
  const scheme = read('sendwright-scheme')
  if (scheme === 'light' || scheme === 'dark') dataset['scheme'] = scheme
  // Elements for visitors must not flash for a signed-in user (shell/site/site.css).
  dataset['session'] = (read('access_token') ?? '') === '' ? 'visitor' : 'loading'
}
