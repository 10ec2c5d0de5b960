/** Paths that crawlers may index: the public pages, without the dashboard and paths with a token. */
export function robotsText(publicUrl: string): string {
  return [
    'User-agent: *',
    'Disallow: /dashboard',
    'Disallow: /email_confirm/',
    'Disallow: /forgot_password/',
    'Disallow: /sandbox',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** A sitemap of whole addresses (sitemaps.org/protocol). */
export function sitemapText(urls: readonly string[]): string {
  const rows = urls.map((url) => `  <url><loc>${url.replaceAll('&', '&amp;')}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...rows,
    '</urlset>',
    '',
  ].join('\n')
}
