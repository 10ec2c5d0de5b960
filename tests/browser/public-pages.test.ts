import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, waitForHydration, openPage, viewports } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { samplePublicUrl } from '../support/site.ts'

const { browser, site } = await useDashboard()

const paths = ['/', '/docs', '/termspage', '/privacypage', '/cookiespage', '/gdprpage'] as const
const html = async (path: string) => (await fetch(site.url + path, { headers: { accept: 'text/html' } })).text()
const contentOf = (page: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(page)?.[1]

describe('the metadata of a page', () => {
  it.each([...paths, '/login', '/signup'])('%s: title, description, canonical URL, and a picture', async (path) => {
    const page = await html(path)
    const title = /<title>([^<]+)<\/title>/.exec(page)?.[1]
    expect(title).toMatch(/Sendwright/)
    expect(contentOf(page, 'description')?.length).toBeGreaterThan(40)
    expect(page).toContain(`<link rel="canonical" href="${samplePublicUrl}${path}" />`)
    expect(contentOf(page, 'og:url')).toBe(samplePublicUrl + path)
    expect(contentOf(page, 'og:title')).toBe(title)
    const picture = contentOf(page, 'og:image') ?? ''
    expect(picture).toMatch(/^https:\/\/mail\.example\.com\/assets\/social-[\w-]+\.png$/)
    const answer = await fetch(picture.replace(samplePublicUrl, site.url))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('is unique per page', async () => {
    const pages = await Promise.all([...paths, '/login', '/signup'].map(html))
    for (const name of ['description', 'og:title']) {
      expect(new Set(pages.map((page) => contentOf(page, name))).size).toBe(pages.length)
    }
  })

  it('excludes pages behind the sign-in from search engines', async () => {
    for (const path of ['/dashboard', '/email_confirm/cf_1', '/forgot_password/rs_1']) {
      expect(contentOf(await html(path), 'robots')).toBe('noindex')
    }
  })
})

describe('axe finds no violation on', () => {
  it.each([...paths, '/assets/none.html'])('%s, light and dark, on a desktop and on a phone', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const viewport of [viewports.desktop, viewports.phone]) {
        await using opened = await openDashboard(browser, site, {
          path,
          colorScheme,
          viewport,
          reducedMotion: 'reduce',
        })
        const { page } = opened
        if (path === '/') await meetComposer(page)
        expect(await axeViolations(page), `${colorScheme}, ${viewport.width}`).toEqual([])
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, `no overflow at ${viewport.width}`).toBe(viewport.width)
      }
    }
  })
})

async function meetComposer(page: Page): Promise<void> {
  await page.locator('.try-place').scrollIntoViewIfNeeded()
  await page.getByRole('heading', { name: 'The autumn show' }).waitFor()
}

describe('with the keyboard alone', () => {
  it('every link and button of the landing page is reached in reading order with a visible focus, starting with the skip link', async () => {
    await using opened = await openPage(browser, { viewport: viewports.desktop, reducedMotion: 'reduce' })
    const { page } = opened
    await page.goto(site.url)
    const reached: string[] = []
    for (let at = 0; at < 9; at++) {
      await page.keyboard.press('Tab')
      const { text, isSeen } = await page.evaluate(() => {
        const element = document.activeElement!
        const box = element.getBoundingClientRect()
        const { outlineStyle } = getComputedStyle(element)
        return { text: element.textContent.trim(), isSeen: box.top >= 0 && outlineStyle !== 'none' }
      })
      expect(isSeen, text).toBe(true)
      reached.push(text)
    }
    expect(reached).toEqual([
      'Skip to content',
      'Sendwright',
      'Features',
      'Documentation',
      'Dashboard',
      'Get Started Today',
      'Start For Free',
      'Watch Demo',
      expect.any(String),
    ])
  })

  it('Skip to content skips the header', async () => {
    await using opened = await openPage(browser, { reducedMotion: 'reduce' })
    const { page } = opened
    await page.goto(`${site.url}/gdprpage`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)))
      .toBe(true)
  })
})

describe('a prerendered page', () => {
  it('is readable before any script has loaded, and hydrates without a new render', async () => {
    await using opened = await openPage(browser)
    const { page } = opened
    const held = Promise.withResolvers<undefined>()
    await page.route('**/assets/main-*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(site.url, { waitUntil: 'commit' })
    const headline = page.getByRole('heading', { level: 1, name: 'Send from the mailbox you already own.' })
    await headline.waitFor()
    await headline.evaluate((element) => (element.dataset['seen'] = 'yes'))
    held.resolve(undefined)
    await waitForHydration(headline)
    await expect.poll(() => headline.getAttribute('data-seen')).toBe('yes')
    await expect.poll(() => page.locator('.features > li').count()).toBe(6)
  })

  it('keeps its content when a part of it fails to hydrate', async () => {
    await using opened = await openPage(browser, { allowFaults: /ERR_FAILED/ })
    const { page } = opened
    const requested = page.waitForRequest('**/landing-sections-*.js')
    await page.route('**/landing-sections-*.js', (route) => route.abort())
    await page.goto(site.url, { waitUntil: 'networkidle' })
    await page.mouse.move(40, 40)
    await requested
    await page.waitForLoadState('networkidle')
    await expect.poll(() => page.locator('.features > li').count()).toBe(6)
  })

  it('shows an error in place of a part that fails to load, reached from another page', async () => {
    await using opened = await openPage(browser, { allowFaults: /ERR_FAILED/ })
    const { page } = opened
    await page.route('**/landing-sections-*.js', (route) => route.abort())
    await page.goto(`${site.url}/login`, { waitUntil: 'networkidle' })
    await page.getByRole('banner').getByRole('link', { name: 'Sendwright' }).click()
    await page.getByText('A part of this page could not be loaded.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Send from the mailbox you already own.' }).waitFor()
  })

  it('stays readable when its script fails to load', async () => {
    await using opened = await openPage(browser, { allowFaults: /ERR_FAILED/ })
    const { page } = opened
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await page.goto(`${site.url}/termspage`)
    await page.getByText('Last updated August 14, 2025').waitFor()
  })
})

it('an unknown page returns 404, runs no script, and links to the start page', async () => {
  await using opened = await openPage(browser, { allowFaults: /404/ })
  const { page } = opened
  const answer = await page.goto(`${site.url}/assets/none.html`)
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('link', { name: 'home page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Send from the mailbox you already own.' }).waitFor()
})
