import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boxOf, viewports, waitForHydration } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
})

const open = (options: DashboardOptions = {}) => openDashboard(browser, site, { path: '/', ...options })

describe('leaving the page', () => {
  it.each([
    ['Documentation', '/docs', 'Documentation'],
    ['Get Started Today', '/login', 'Sign in'],
    ['Privacy Policy', '/privacypage', 'Privacy Policy'],
  ])('TRIAL-01 after the pointer moved and the page was scrolled, %s shows its screen', async (name, path, heading) => {
    await using opened = await open()
    const { page } = opened
    await page.mouse.move(300, 300)
    await page.mouse.wheel(0, 1500)
    await waitForHydration(page.locator('.faq'))
    await page.getByRole('link', { name }).first().click()
    await page.waitForURL(`**${path}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  })

  it('its lower part works where the page was scrolled before its scripts arrived', async () => {
    await using opened = await open()
    const { page } = opened
    const scrolled = Promise.withResolvers<undefined>()
    await page.route('**/landing*.js', async (route) => {
      await scrolled.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.locator('.faq').waitFor()
    await page.mouse.move(300, 300)
    await page.mouse.wheel(0, 1500)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
    scrolled.resolve(undefined)
    await waitForHydration(page.locator('.faq'))
  })
})

describe('the hero', () => {
  it('LANDING-01 LANDING-02 LANDING-03 LANDING-06 shows badge, headline, description and both buttons', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByText('99.9% uptime', { exact: true }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Send from the mailbox you already own.' }).waitFor()
    await page.getByText(/^Connect the mailbox your readers know/).waitFor()
    await page.getByRole('button', { name: 'Watch Demo' }).waitFor()
  })

  it('LANDING-08 LANDING-09 LANDING-10 LANDING-11 LANDING-15 shows three stat tiles', async () => {
    await using opened = await open()
    const tiles = opened.page.locator('.stats > div')
    await expect.poll(() => tiles.locator('dt').allTextContents()).toEqual(['uptime', 'emails delivered', 'customers'])
    await expect.poll(() => tiles.locator('dd').allTextContents()).toEqual(['99.9%', '10M+', '5K+'])
  })

  it('LANDING-07 Watch Demo walks through the real screens, and restores the focus', async () => {
    await using opened = await open({ reducedMotion: 'reduce' })
    const { page } = opened
    const button = page.getByRole('button', { name: 'Watch Demo' })
    const dialog = page.getByRole('dialog', { name: 'How it works' })
    await waitForHydration(page.getByRole('heading', { level: 1 }))
    await button.click()
    await dialog.waitFor()
    await dialog.getByRole('heading', { name: '1. Connect a mailbox' }).waitFor()
    const picture = dialog.locator('img:visible')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000)
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('heading', { name: '2. Write one message' }).waitFor()
    await dialog.getByRole('button', { name: 'Step 4: See your results' }).click()
    await dialog.getByRole('link', { name: 'Start For Free' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe('the claims of the page', () => {
  let text = ''
  beforeAll(async () => {
    await using opened = await open()
    text = (await opened.page.getByRole('main').textContent()) ?? ''
  })

  it.each([
    ['LANDING-12 99.9% uptime', ['99.9%', 'uptime']],
    ['LANDING-13 more than 5,000 businesses', ['More than 5,000 businesses', '5,000+']],
    ['LANDING-14 more than 10 million emails delivered', ['10M+', 'emails delivered']],
    ['LANDING-16 LANDING-17 LANDING-18 the free trial', ['14-day free trial', 'up to 1,000 emails', 'no credit card']],
    ['LANDING-19 email support on all plans', ['Email support on all plans']],
    [
      'LANDING-20 LANDING-21 LANDING-22 what enterprise customers get',
      ['Enterprise customers get dedicated account management with 24/7 phone support and SLA guarantees.'],
    ],
    ['LANDING-23 analytics', ['Analytics on opens, clicks, bounces, unsubscribes and delivery status']],
  ])('%s', (_row, sentences) => {
    for (const sentence of sentences) expect(text).toContain(sentence)
  })

  it('LANDING-24 LANDING-25 LANDING-26 LANDING-27 LANDING-28 LANDING-29 LANDING-30 LANDING-31 six feature cards', async () => {
    await using opened = await open()
    const cards = opened.page.locator('.features > li')
    await expect
      .poll(() => cards.locator('h3').allTextContents())
      .toEqual([
        'High Deliverability',
        'Real-time Analytics',
        'Enterprise Security',
        'Lightning Fast API',
        'Team Collaboration',
        'Template Library',
      ])
    await expect.poll(() => cards.filter({ hasText: 'Team Collaboration' }).textContent()).toContain('set permissions')
  })
})

describe('the testimonials', () => {
  const seen = (page: Page) => page.locator('.testimonials-belt li:visible')
  const offset = (page: Page) =>
    page.locator('.testimonials-belt').evaluate((belt) => belt.getBoundingClientRect().left)
  const loop = (page: Page) =>
    page.locator('.testimonials-belt').evaluate((belt) => belt.getAnimations().map(({ playState }) => playState))

  it('LIMITS-08 LANDING-32 LANDING-33 LANDING-34 LANDING-35 LANDING-36 six, each with rating, role, company and initials', async () => {
    await using opened = await open()
    const region = opened.page.getByRole('region', { name: 'What customers say' })
    const voices = region.getByRole('listitem')
    await expect.poll(() => voices.count()).toBe(6)
    await expect.poll(() => region.getByRole('img', { name: 'Rated 5 of 5' }).count()).toBe(6)
    await expect.poll(() => voices.first().textContent()).toMatch(/NGHead of MarketingNorthwind Galleries$/)
    for (const part of ['.voice-initials', '.voice-who b', '.voice-who b + span']) {
      await expect
        .poll(async () => (await voices.locator(part).allTextContents()).filter((text) => text !== ''))
        .toHaveLength(6)
    }
  })

  it('LANDING-37 TOASTS-10 TOASTS-11 on large screens they scroll in a linear, endless loop of 25 s', async () => {
    await using opened = await open()
    const { page } = opened
    const timing = await page.locator('.testimonials-belt').evaluate((belt) => {
      const { duration, iterations, easing } = belt.getAnimations()[0]!.effect!.getTiming()
      const { animationTimingFunction } = getComputedStyle(belt)
      return { duration, iterations, easing: [easing, animationTimingFunction] }
    })
    expect(timing).toEqual({ duration: 25_000, iterations: Infinity, easing: ['linear', 'linear'] })
    const before = await offset(page)
    await expect.poll(() => offset(page)).toBeLessThan(before)
    // The end of the loop matches its start: the second copy is at the start position of the first.
    const belt = await page.locator('.testimonials-belt').evaluate((element) => ({
      whole: element.getBoundingClientRect().width,
      half: element.firstElementChild!.getBoundingClientRect().width,
    }))
    expect(belt.half * 2).toBeCloseTo(belt.whole, 0)
  })

  it('LANDING-38 the loop pauses on hover and on keyboard focus', async () => {
    await using opened = await open()
    const { page } = opened
    const frame = page.getByRole('group', { name: /^Testimonials/ })
    await frame.hover()
    await expect.poll(() => loop(page)).toEqual(['paused'])
    await page.mouse.move(0, 0)
    await expect.poll(() => loop(page)).toEqual(['running'])
    await frame.focus()
    await expect.poll(() => loop(page)).toEqual(['paused'])
  })

  it('LANDING-39 on small screens the first four are shown in a grid', async () => {
    await using opened = await open({ viewport: viewports.phone })
    const { page } = opened
    await expect.poll(() => seen(page).count()).toBe(4)
    await expect.poll(() => loop(page)).toEqual([])
    await expect
      .poll(() =>
        page
          .locator('.testimonials-belt > ul')
          .first()
          .evaluate((list) => getComputedStyle(list).display),
      )
      .toBe('grid')
  })

  it('are shown in a static grid for visitors who prefer reduced motion', async () => {
    await using opened = await open({ reducedMotion: 'reduce' })
    await expect.poll(() => loop(opened.page)).toEqual([])
    await expect.poll(() => seen(opened.page).count()).toBe(6)
  })
})

describe('the questions', () => {
  it('LIMITS-09 LANDING-40 LANDING-41 LANDING-42 six in an accordion: one open at a time, and a click closes it', async () => {
    await using opened = await open()
    const { page } = opened
    const items = page.locator('.faq details')
    await expect.poll(() => items.count()).toBe(6)
    const openOnes = () =>
      items.evaluateAll((all) => all.flatMap((one, at) => ((one as HTMLDetailsElement).open ? [at] : [])))
    await expect.poll(() => openOnes()).toEqual([])
    await items.nth(0).locator('summary').click()
    await expect.poll(() => openOnes()).toEqual([0])
    await items.nth(2).locator('summary').press('Enter')
    await expect.poll(() => openOnes()).toEqual([2])
    await page.getByText(/^As many as your provider lets your mailbox send/).waitFor()
    await items.nth(2).locator('summary').click()
    await expect.poll(() => openOnes()).toEqual([])
  })
})

describe('the footer', () => {
  it('LANDING-45 LANDING-46 LANDING-47 LANDING-48 LANDING-49 its legal links open real pages', async () => {
    await using opened = await open()
    const { page } = opened
    for (const [name, path, heading] of [
      ['Privacy Policy', '/privacypage', 'Privacy Policy'],
      ['Terms of Service', '/termspage', 'Terms and Conditions'],
      ['Cookie Policy', '/cookiespage', 'Cookie Policy'],
      ['GDPR', '/gdprpage', 'GDPR'],
    ] as const) {
      await page.getByRole('contentinfo').getByRole('link', { name }).click()
      await page.waitForURL(`**${path}`)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    }
  })

  it('LANDING-50 LANDING-51 LANDING-52 has social links, one of which opens a chat with a prefilled message', async () => {
    await using opened = await open()
    const footer = opened.page.getByRole('contentinfo')
    for (const name of ['LinkedIn', 'X', 'Instagram']) {
      const link = footer.getByRole('link', { name: `${name} (opens in a new tab)`, exact: true })
      await expect.poll(() => link.getAttribute('href')).toMatch(/^https:\/\/(www\.)?(linkedin|x|instagram)\.com\//)
      await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer')
    }
    const chat = new URL((await footer.getByRole('link', { name: /^Chat with support/ }).getAttribute('href')) ?? '')
    expect(chat.host).toBe('wa.me')
    expect(chat.searchParams.get('text')).toContain('Hello Sendwright, I have a question')
  })
})

describe('the composer on the landing page', () => {
  const composer = (page: Page) => page.getByRole('form', { name: 'Message' })
  const scripts = (page: Page) =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.endsWith('.js')),
    )

  it('loads near the viewport, and shifts nothing below it', async () => {
    await using opened = await open()
    const { page } = opened
    await page.waitForLoadState('networkidle')
    await expect.poll(async () => (await scripts(page)).some((name) => name.includes('demo-composer'))).toBe(false)
    const features = page.getByRole('heading', { name: /^Everything from/ })
    const before = (await boxOf(features)).y + (await page.evaluate(() => scrollY))
    await page.locator('.try-place').scrollIntoViewIfNeeded()
    await page.getByRole('heading', { name: 'The autumn show' }).waitFor()
    await expect.poll(async () => (await scripts(page)).some((name) => name.includes('demo-composer'))).toBe(true)
    await expect.poll(async () => (await boxOf(features)).y + (await page.evaluate(() => scrollY))).toBe(before)
  })

  it('is the shipped one: it previews the input, marks invalid addresses, and reports that no mail was sent', async () => {
    await using opened = await open()
    const { page } = opened
    await page.locator('.try-place').scrollIntoViewIfNeeded()
    await composer(page).getByLabel('Subject Line').fill('Hello {{first_name}}')
    await page.getByText('Hello friend').waitFor()
    await composer(page).getByText('front desk').first().waitFor()
    await composer(page).getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('button', { name: 'Send to 2' }).click()
    await page.getByText('Simulated: no mail was sent from this page.').waitFor()
    await page.getByText('Sent to 2 of 2').waitFor()
    expect(site.received).toEqual([])
  })

  it('shows an error when it fails to load, and retries', async () => {
    await using opened = await open()
    const { page } = opened
    await page.waitForLoadState('networkidle')
    await page.route('**/demo-composer-*.js', (route) => route.abort())
    await page.locator('.try-place').scrollIntoViewIfNeeded()
    await page.getByText('The composer could not be loaded.').waitFor()
    await page.unroute('**/demo-composer-*.js')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.waitForLoadState('networkidle')
    await page.locator('.try-place').scrollIntoViewIfNeeded()
    await composer(page).waitFor()
  })
})

describe('without scripts', () => {
  it('the whole page is rendered, and its links and its accordion work', async () => {
    await using opened = await open({ javaScriptEnabled: false })
    const { page } = opened
    await page.getByRole('heading', { name: 'Frequently asked questions' }).waitFor()
    await page.locator('.faq summary').first().click()
    await page.getByText(/^Gmail, Outlook, Yahoo and any other mailbox/).waitFor()
    await page.getByRole('contentinfo').getByRole('link', { name: 'GDPR' }).click()
    await page.getByRole('heading', { level: 1, name: 'GDPR' }).waitFor()
  })
})
