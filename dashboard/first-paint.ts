// Runs before the first paint, as a plain script of our own origin: an inline one would be refused by the content policy.
{
  let scheme: string | null = null
  try {
    scheme = localStorage.getItem('sendwright-scheme')
  } catch {
    // Storage is switched off: the system decides.
  }
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset['scheme'] = scheme
}
