import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { boxOf, viewports, waitForHydration } from '../support/browser.ts'
import { openDashboard, pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleUser } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = (path: string, options: DashboardOptions = {}) => openDashboard(browser, site, { path, ...options })
const signedIn = (path = '/dashboard', options: DashboardOptions = {}) => open(path, { token: 'at_1', ...options })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('for a visitor', () => {
  it.each([
    ['ROUTES-01 / shows the landing page', '/', 'Send from the mailbox you already own.'],
    ['ROUTES-02 /login shows the sign-in screen', '/login', 'Sign in'],
    ['ROUTES-03 /signup shows the account-creation screen', '/signup', 'Create your account'],
    ['ROUTES-06 /email_confirm/{token} shows the confirmation screen', '/email_confirm/cf_1', 'Email Confirmed!'],
    ['ROUTES-17 /termspage shows the Terms and Conditions', '/termspage', 'Terms and Conditions'],
    ['ROUTES-18 /privacypage shows the Privacy Policy', '/privacypage', 'Privacy Policy'],
    ['ROUTES-19 /docs shows the documentation', '/docs', 'Documentation'],
  ])('%s', async (_row, path, title) => {
    await using opened = await open(path)
    await heading(opened.page, title)
    await expect.poll(() => pathOf(opened.page)).toBe(path)
  })

  it.each(['/no/such/page', '/dashboard/none', '/dashboardx', '/old-page.php'])(
    'ROUTES-21 %s redirects to /',
    async (path) => {
      await using opened = await open(path)
      await opened.page.waitForURL(`${site.url}/`)
    },
  )

  it('ROUTES-21 a link to an unknown page opens / without a page load', async () => {
    await using opened = await open('/login')
    const { page } = opened
    await heading(page, 'Sign in')
    await page.evaluate(() => {
      Object.assign(window, { isSameDocument: true })
      const link = Object.assign(document.createElement('a'), { href: '/no/such/page' })
      document.body.append(link)
      link.click()
    })
    await heading(page, 'Send from the mailbox you already own.')
    await expect.poll(() => pathOf(page)).toBe('/')
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
  })

  it.each([
    '/dashboard',
    '/dashboard/profile',
    '/dashboard/send_email',
    '/dashboard/email_config',
    '/dashboard/documentation',
    '/dashboard/templates',
    '/dashboard/create',
    '/dashboard/globalTemplates',
    '/dashboard/GlobalTemplates',
  ])('ROUTES-22 SESSION-14 %s redirects to /login', async (path) => {
    await using opened = await open(path)
    await opened.page.waitForURL('**/login')
    expect(site.received).toEqual([])
  })

  it('returns to the requested page after signing in, including a page number of a list in the URL', async () => {
    await using opened = await open('/dashboard/campaigns?status=draft#all')
    const { page } = opened
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.waitForURL('**/dashboard/campaigns?status=draft#all')
  })
})

/** Every page outside the dashboard. */
const publicPaths = [
  '/',
  '/login',
  '/signup',
  '/forgot_password',
  '/forgot_password/rp_1',
  '/email_confirm/cf_1',
  '/docs',
  '/termspage',
  '/privacypage',
  '/cookiespage',
  '/gdprpage',
]
const siteLinks = [
  ['Features', '/#features'],
  ['Documentation', '/docs'],
  ['Dashboard', '/dashboard'],
  ['Get Started Today', '/login'],
]
/** Name and address of the visible links. */
const linksOf = (part: Locator) =>
  part
    .getByRole('link')
    .evaluateAll((links) =>
      (links as HTMLAnchorElement[])
        .filter((link) => link.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((link) => [link.textContent, link.getAttribute('href')]),
    )

describe('the site header', () => {
  it('HEADER-03 HEADER-05 HEADER-06 HEADER-07 shows the logo and links outside the dashboard', async () => {
    await using opened = await open('/login')
    const { page } = opened
    const header = page.getByRole('banner')
    await expect.poll(() => header.getByRole('link', { name: 'Sendwright' }).getAttribute('href')).toBe('/')
    await expect.poll(() => header.getByRole('link', { name: 'Documentation' }).getAttribute('href')).toBe('/docs')
    await expect.poll(() => header.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/dashboard')
    await expect.poll(() => header.getByRole('link', { name: 'Get Started Today' }).getAttribute('href')).toBe('/login')
  })

  it('HEADER-04 Features opens the features, from the landing page and from any other', async () => {
    await using opened = await open('/login')
    const { page } = opened
    const features = page.getByRole('heading', { name: /^Everything from/ })
    const isSeen = () => features.evaluate((element) => Math.abs(element.getBoundingClientRect().top) < innerHeight)
    for (let visit = 0; visit < 2; visit++) {
      await page.getByRole('banner').getByRole('link', { name: 'Features' }).click()
      await page.waitForURL(`${site.url}/#features`)
      await features.waitFor()
      await expect.poll(isSeen).toBe(true)
      await page.evaluate(() => scrollTo(0, 0))
    }
  })

  it('HEADER-08 Get Started Today is shown only when no user is loaded', async () => {
    await using opened = await signedIn('/')
    const { page } = opened
    await page.getByRole('link', { name: 'Get Started Today' }).waitFor({ state: 'detached' })
  })

  it.each(publicPaths)('HEADER-01 LANDING-43 %s shows the site header and the site footer', async (path) => {
    await using opened = await open(path)
    const { page } = opened
    const header = page.getByRole('banner')
    await header.getByRole('link', { name: 'Sendwright' }).waitFor()
    await expect.poll(() => linksOf(header.getByRole('navigation', { name: 'Site' }))).toEqual(siteLinks)
    const { y } = await boxOf(header)
    expect(y).toBe(0)
    const footer = page.getByRole('contentinfo')
    for (const name of ['Product', 'Legal', 'Contact']) await footer.getByRole('navigation', { name }).waitFor()
    const content = await boxOf(page.getByRole('main'))
    await expect.poll(async () => (await boxOf(footer)).y).toBeGreaterThanOrEqual(content.y + content.height)
  })

  it('HEADER-02 LANDING-44 header and footer of the site are shown to a signed-in user, but not inside the dashboard', async () => {
    await using opened = await signedIn('/docs')
    const { page } = opened
    const header = page.getByRole('navigation', { name: 'Site' })
    const footer = page.getByRole('contentinfo')
    await header.getByRole('link', { name: 'Features' }).waitFor()
    await footer.waitFor()
    await header.getByRole('link', { name: 'Dashboard' }).click()
    await heading(page, 'Dashboard')
    for (const [path, name] of [
      ['/dashboard', 'Dashboard'],
      ['/dashboard/documentation', 'Documentation'],
      ['/dashboard/send_email', 'Send Email'],
    ] as const) {
      if (pathOf(page) !== path) await page.goto(site.url + path)
      await heading(page, name)
      await expect
        .poll(async () => [await header.count(), await footer.count(), await page.locator('.site-header').count()])
        .toEqual([0, 0, 0])
    }
  })

  it('HEADER-09 a menu toggles the same links on a small screen', async () => {
    await using opened = await open('/', { viewport: viewports.phone })
    const { page } = opened
    const header = page.getByRole('banner')
    const menu = header.getByRole('button', { name: 'Menu' })
    for (let press = 0; press < 2; press++) {
      await expect.poll(() => linksOf(header.getByRole('navigation', { name: 'Site' }))).toEqual([])
      await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false')
      await menu.click()
      await expect.poll(() => linksOf(header.getByRole('navigation', { name: 'Site' }))).toEqual(siteLinks)
      await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true')
      await menu.click()
    }
    await menu.click()
    await header.getByRole('link', { name: 'Documentation' }).click()
    await page.waitForURL('**/docs')
  })

  it('LANDING-04 LANDING-05 the start page links to /signup', async () => {
    await using opened = await open('/')
    await opened.page.getByRole('link', { name: 'Start For Free' }).first().click()
    await opened.page.waitForURL('**/signup')
  })
})

describe('for a signed-in user', () => {
  it.each([
    ['ROUTES-07 ROUTES-08 /dashboard shows the home screen in the shell', '/dashboard', 'Dashboard'],
    ['ROUTES-10 /dashboard/send_email shows the send screen', '/dashboard/send_email', 'Send Email'],
    ['ROUTES-09 /dashboard/profile shows the profile', '/dashboard/profile', 'Profile'],
    ['ROUTES-11 /dashboard/email_config shows the configurations', '/dashboard/email_config', 'Email Config'],
    ['ROUTES-12 /dashboard/documentation shows the documentation', '/dashboard/documentation', 'Documentation'],
    ['ROUTES-13 /dashboard/templates shows my templates', '/dashboard/templates', 'Templates'],
    ['ROUTES-14 /dashboard/create shows the designer', '/dashboard/create', 'New Template'],
    [
      'ROUTES-15 ROUTES-16 /dashboard/globalTemplates shows the global templates',
      '/dashboard/globalTemplates',
      'Template Library',
    ],
    [
      'ROUTES-16 /dashboard/GlobalTemplates shows the global templates',
      '/dashboard/GlobalTemplates',
      'Template Library',
    ],
  ])('%s', async (_row, path, title) => {
    await using opened = await signedIn(path)
    await heading(opened.page, title)
    await opened.page.getByRole('navigation', { name: 'Dashboard' }).waitFor()
  })

  it('ROUTES-20 /docs and /dashboard/documentation show the same screen', async () => {
    const shown = []
    for (const path of ['/docs', '/dashboard/documentation']) {
      await using opened = await signedIn(path)
      await heading(opened.page, 'Documentation')
      await opened.page.getByText(`curl -X POST ${site.url}/api/send-mail/`).waitFor()
      // The user's own key loads after the page.
      await opened.page.getByText('Contains the secret key of').waitFor()
      shown.push(await opened.page.locator('.docs').innerText())
    }
    expect(shown[0]).toBe(shown[1])
  })

  it('/dashboard/profile shows the details from the server', async () => {
    await using opened = await signedIn('/dashboard/profile')
    const details = opened.page.getByRole('region', { name: 'Details' })
    await details.getByText('studio@northwind.example').waitFor()
    await details.getByText('Northwind, as owner').waitFor()
  })

  it('SESSION-15 nothing is shown while authentication loads', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('getCurrentUser', async () => {
      await answer.promise
      return { json: sampleUser() }
    })
    await using opened = await signedIn()
    const { page } = opened
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some((one) => one.name.includes('dashboard-routes')),
    )
    await expect.poll(() => page.locator('#app').textContent()).toBe('')
    answer.resolve(undefined)
    await heading(page, 'Dashboard')
  })

  it('OPEN-03 the home screen shows the next steps with their live state', async () => {
    await using opened = await signedIn()
    const steps = opened.page.getByRole('region', { name: 'Next steps' }).getByRole('listitem')
    await steps.first().waitFor()
    await expect
      .poll(() => steps.filter({ hasText: 'Connect a mailbox' }).getByRole('img', { name: 'Done' }).count())
      .toBe(1)
    await expect.poll(() => steps.filter({ hasText: 'Send it' }).getByRole('img', { name: 'To do' }).count()).toBe(1)
  })

  it('an unconfirmed user sees the Check Your Email view with a resend', async () => {
    site.on('getCurrentUser', { json: sampleUser({ confirmed_email: false }) })
    await using opened = await signedIn('/dashboard/send_email')
    const { page } = opened
    await heading(page, 'Check Your Email')
    await page.getByRole('button', { name: 'Send New Confirmation' }).click()
    await page.getByText('A new confirmation email has been sent to your inbox.').waitFor()
    site.on('getCurrentUser', { json: sampleUser() })
    await page.getByRole('button', { name: 'I have confirmed it' }).click()
    await heading(page, 'Send Email')
  })

  it('ERRORS-06 SESSION-11 a user fetch that is not ok opens /login', async () => {
    site.on('getCurrentUser', { status: 401, json: { detail: 'Sign in first.' } })
    await using opened = await signedIn()
    await opened.page.waitForURL('**/login')
    await expect.poll(() => opened.page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  })

  it('ERRORS-07 a user fetch that throws is logged without the token, shows an error, and can be retried', async () => {
    site.on('getCurrentUser', { hangUp: true })
    await using opened = await signedIn()
    const { page } = opened
    await page.getByText('The server cannot be reached.').waitFor()
    await expect.poll(() => opened.faults).toContain('Sendwright: loading the user failed (no answer)')
    expect(opened.faults.join('\n')).not.toContain('at_1')
    site.on('getCurrentUser', { json: sampleUser() })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await heading(page, 'Dashboard')
  })

  it('SESSION-13 logging out in another tab opens /login', async () => {
    await using opened = await signedIn()
    const { page } = opened
    await heading(page, 'Dashboard')
    const other = await page.context().newPage()
    await other.goto(`${site.url}/`)
    await other.evaluate(() => localStorage.removeItem('access_token'))
    await page.waitForURL('**/login')
  })

  it('SESSION-12 a token that another tab stores is used from then on', async () => {
    await using opened = await signedIn()
    const { page } = opened
    await heading(page, 'Dashboard')
    const other = await page.context().newPage()
    await other.goto(`${site.url}/`)
    site.on('getCurrentUser', { json: sampleUser({ email: 'bo@northwind.example' }) })
    await other.evaluate(() => localStorage.setItem('access_token', 'at_2'))
    await page.getByText('Welcome, bo@northwind.example').waitFor()
    await expect
      .poll(() => site.received.findLast(({ path }) => path === '/auth/user')?.headers.authorization)
      .toBe('Bearer at_2')
  })
})

describe('the shell', () => {
  it('SHELL-01 SHELL-02 SHELL-03 its top bar has the product name linking to /, the welcome and a profile image', async () => {
    await using opened = await signedIn()
    const bar = opened.page.getByRole('banner')
    await expect.poll(() => bar.getByRole('link', { name: 'Sendwright' }).getAttribute('href')).toBe('/')
    await bar.getByText('Welcome, studio@northwind.example').waitFor()
    await bar.getByRole('img', { name: 'Profile image of Ada North' }).waitFor()
  })

  it('SHELL-08 SHELL-09 SHELL-10 SHELL-11 SHELL-12 SHELL-13 SHELL-14 its sidebar has an item for each screen, and Logout', async () => {
    await using opened = await signedIn()
    const sidebar = opened.page.getByRole('navigation', { name: 'Dashboard' })
    await sidebar.getByRole('button', { name: 'Logout' }).waitFor()
    await sidebar.getByRole('button', { name: 'Developers' }).click()
    const links = await sidebar
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))
    expect(links).toEqual([
      ['Dashboard', '/dashboard'],
      ['Email Config', '/dashboard/email_config'],
      ['Send Email', '/dashboard/send_email'],
      ['Campaigns', '/dashboard/campaigns'],
      ['Messages', '/dashboard/messages'],
      ['Replies', '/dashboard/replies'],
      ['Contacts', '/dashboard/contacts'],
      ['Lists', '/dashboard/lists'],
      ['Segments', '/dashboard/segments'],
      ['Suppressions', '/dashboard/suppressions'],
      ['Templates', '/dashboard/templates'],
      ['Global', '/dashboard/globalTemplates'],
      ['Images', '/dashboard/images'],
      ['Embeds', '/dashboard/embeds'],
      ['Documentation', '/dashboard/documentation'],
      ['Profile', '/dashboard/profile'],
      ['Tracking', '/dashboard/tracking'],
    ])
  })

  it('TRIAL-82 Suppressions and Profile have sidebar entries that are highlighted on their screens', async () => {
    await using opened = await signedIn()
    const { page } = opened
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
    for (const name of ['Suppressions', 'Profile']) {
      await sidebar.getByRole('link', { name }).click()
      await heading(page, name)
      await expect.poll(() => sidebar.locator('[aria-current=page]').allTextContents()).toEqual([name])
      const weight = (link: string) =>
        sidebar.getByRole('link', { name: link }).evaluate((element) => getComputedStyle(element).fontWeight)
      await expect.poll(async () => [await weight(name), await weight('Send Email')]).toEqual(['600', '400'])
    }
  })

  it.each([
    ['/dashboard/create', 'New Template', 'Templates'],
    ['/dashboard/GlobalTemplates', 'Template Library', 'Global'],
  ])('at %s its sidebar highlights the matching entry', async (path, title, entry) => {
    await using opened = await signedIn(path)
    await heading(opened.page, title)
    const sidebar = opened.page.getByRole('navigation', { name: 'Dashboard' })
    await expect.poll(() => sidebar.locator('[aria-current=page]').allTextContents()).toEqual([entry])
  })

  it('SHELL-04 SHELL-05 SHELL-06 can be collapsed to narrow icons and expanded, and keeps that state', async () => {
    await using opened = await signedIn()
    const { page } = opened
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBeLessThan(80)
    const words = sidebar.getByRole('link', { name: 'Send Email' }).locator('.sidebar-text')
    await expect.poll(() => words.evaluate((element) => getComputedStyle(element).clipPath)).toBe('inset(50%)')
    await page.reload()
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBeGreaterThan(200)
  })

  it('SHELL-07 on mobile an overlay click closes the sidebar', async () => {
    await using opened = await signedIn('/dashboard', { viewport: viewports.phone })
    const { page } = opened
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
    await heading(page, 'Dashboard')
    await expect.poll(() => sidebar.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await sidebar.getByRole('link', { name: 'Send Email' }).waitFor()
    await page.mouse.click(370, 80)
    await sidebar.waitFor({ state: 'hidden' })
  })

  it('does not cover the screen when a window becomes too narrow for it, and reappears in a wide one', async () => {
    await using opened = await signedIn()
    const { page } = opened
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
    await sidebar.getByRole('link', { name: 'Send Email' }).waitFor()
    await page.setViewportSize(viewports.phone)
    await sidebar.waitFor({ state: 'hidden' })
    await page.setViewportSize(viewports.desktop)
    await sidebar.getByRole('link', { name: 'Send Email' }).waitFor()
  })

  it('is centred in a very wide window, and wider than on a desktop', async () => {
    await using opened = await signedIn('/dashboard', { viewport: { width: 2560, height: 1300 } })
    const { page } = opened
    await heading(page, 'Dashboard')
    const sidebar = await boxOf(page.getByRole('navigation', { name: 'Dashboard' }))
    const screen = await boxOf(page.locator('main'))
    expect(screen.width).toBeGreaterThan(1280)
    expect(Math.round(screen.x - sidebar.width)).toBe(Math.round(2560 - screen.x - screen.width))
  })

  it('SHELL-15 SHELL-16 Logout with the sidebar open clears all local storage, ends the session and reloads', async () => {
    await using opened = await signedIn()
    const { page } = opened
    await page.evaluate(() => localStorage.setItem('other', 'kept'))
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Logout' }).click()
    await loaded
    await page.waitForURL('**/login')
    await page.getByRole('button', { name: 'Sign In' }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
    await expect
      .poll(() => site.received.find((one) => one.path === '/auth/logout')?.headers.authorization)
      .toBe('Bearer at_1')
  })

  it('SHELL-17 Logout with the sidebar collapsed opens it instead', async () => {
    await using opened = await signedIn()
    const { page } = opened
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('access_token'))).toBe('at_1')
  })
})

it('a new screen starts at its top: scroll position, document title and Tab order are reset', async () => {
  await using opened = await signedIn('/dashboard', { viewport: { width: 1280, height: 300 } })
  const { page } = opened
  await heading(page, 'Dashboard')
  await page.mouse.wheel(0, 400)
  await page.getByRole('link', { name: 'Email Config' }).click()
  await heading(page, 'Email Config')
  await expect.poll(() => page.title()).toBe('Email Config · Sendwright')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.getByRole('link', { name: 'New Config' }).waitFor()
  await page.keyboard.press('Tab')
  await expect
    .poll(() => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)))
    .toBe(true)
})

describe('the colour scheme', () => {
  const scheme = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const paper = { light: 'rgb(250, 249, 246)', dark: 'rgb(20, 20, 18)' }

  it('follows the system until the user chooses one, which applies from the first paint', async () => {
    await using opened = await open('/', { colorScheme: 'dark' })
    const { page } = opened
    await expect.poll(() => scheme(page)).toBe(paper.dark)
    const light = page.getByRole('radio', { name: 'Light' })
    await light.hover({ force: true })
    await waitForHydration(light)
    await light.check()
    await expect.poll(() => scheme(page)).toBe(paper.light)
    await page.route('**/main-*.js', (route) => route.abort())
    await page.reload()
    await expect.poll(() => scheme(page)).toBe(paper.light)
  })

  it('keeps the chosen scheme after sign-out and after the next sign-in', async () => {
    await using opened = await signedIn('/dashboard', { colorScheme: 'light' })
    const { page } = opened
    await page.getByRole('radio', { name: 'Dark' }).first().check({ force: true })
    await expect.poll(() => scheme(page)).toBe(paper.dark)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await page.getByRole('button', { name: 'Sign In' }).waitFor()
    await expect.poll(() => scheme(page)).toBe(paper.dark)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await heading(page, 'Dashboard')
    await expect.poll(() => scheme(page)).toBe(paper.dark)
  })
})
