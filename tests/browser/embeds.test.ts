import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { reservedHeight } from '../../contract/embed/embed-heights.ts'
import type { Received } from '../support/api-server.ts'
import { axeViolations, boxOf, viewports } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import {
  sampleAuditEntry,
  sampleConfig,
  sampleConsent,
  sampleEmbed,
  sampleEmbedId,
  sampleEmbedSession,
} from '../support/samples.ts'

const { browser, site } = await useDashboard()
const opened = { session_token: 'es_1', expires_at: '2125-08-14T09:45:00.000Z', scopes: ['mail:send'] as const }
beforeEach(() => {
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('listEmbeds', { json: [sampleEmbed(), sampleEmbed({ id: 'pk_2', name: 'Old intranet', status: 'paused' })] })
  site.on('getEmbed', { json: sampleEmbed() })
  site.on('listEmbedSessions', { json: [sampleEmbedSession()] })
  site.on('listEmbedAudit', {
    json: [sampleAuditEntry(), sampleAuditEntry({ id: '2', act: 'template-saved', subject: null })],
  })
  site.on('openEmbedSession', { status: 201, json: opened })
  site.on('getEmbedConsent', { json: sampleConsent() })
  site.received.length = 0
})

const inside = (hash = '') => openDashboard(browser, site, { path: `/dashboard/embeds${hash}`, token: 'at_1' })
const bodiesOf = (path: string, method: string) =>
  site.received.filter((got: Received) => got.path === path && got.method === method).map(({ body }) => body)

describe('the list of embeds', () => {
  it('links to each, and marks the paused ones', async () => {
    await using screen = await inside()
    const { page } = screen
    await page.getByRole('row', { name: /Old intranet Paused/ }).waitFor()
    await page
      .getByRole('row', { name: /Shop admin admin\.northwind\.example Composer, Template picker 38 of 1,000/ })
      .waitFor()
    await page.getByRole('link', { name: 'Shop admin' }).click()
    await page.getByRole('heading', { name: 'Shop admin', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Embeds', level: 1 }).waitFor()
  })

  it('offers the first step when it is empty, and a retry when it fails to load', async () => {
    site.on('listEmbeds', { json: [] })
    await using screen = await inside()
    await screen.page.getByText('No embeds yet').waitFor()
    site.on('listEmbeds', { status: 500, json: { detail: 'Something went wrong on our side.' } })
    await screen.page.reload()
    await screen.page.getByText('The embeds could not be loaded').waitFor()
    site.on('listEmbeds', { json: [sampleEmbed()] })
    await screen.page.getByRole('button', { name: 'Try Again' }).click()
    await screen.page.getByRole('link', { name: 'Shop admin' }).waitFor()
  })
})

describe('a new embed', () => {
  it('explains an invalid origin, and keeps the input', async () => {
    await using screen = await inside('#new')
    const { page } = screen
    const origins = page.getByLabel('Allowed origins')
    await origins.fill('admin.example.com\nhttp://shop.example.com\nhttps://a.example/path')
    await page.getByLabel('Name').fill('Till')
    await page.getByRole('button', { name: 'Create embed' }).click()
    await page.getByText('“admin.example.com” is no address; write it as https://www.example.com.').waitFor()
    await page
      .getByText('“http://shop.example.com” has to begin with https://; only localhost may use http://.')
      .waitFor()
    await page.getByText('“https://a.example/path” goes on after the host name').waitFor()
    await expect.poll(() => origins.evaluate((field) => field === document.activeElement)).toBe(true)
    await expect.poll(() => origins.inputValue()).toContain('http://shop.example.com')
    expect(bodiesOf('/embeds', 'POST')).toEqual([])
  })

  it('scrolls the first invalid field out from under the top bar', async () => {
    await using screen = await inside('#new')
    const { page } = screen
    await page.getByLabel('Recipients per day').fill('50')
    await page.getByRole('button', { name: 'Create embed' }).click()
    await page.getByText('Enter a name').waitFor()
    const bar = await boxOf(page.getByRole('banner'))
    await expect.poll(async () => (await boxOf(page.getByLabel('Name'))).y).toBeGreaterThan(bar.y + bar.height)
  })

  it('is created from the chosen options, and shown', async () => {
    site.on('createEmbed', { status: 201, json: sampleEmbed() })
    site.on('listEmailConfigs', { json: [sampleConfig(), sampleConfig({ id: 'cfg_2', email_address: 'b@x.example' })] })
    await using screen = await inside('#new')
    const { page } = screen
    await page.getByLabel('Name').fill(' Till ')
    await page.getByLabel('Allowed origins').fill('https://till.example\nhttp://localhost:3000\n')
    await page.getByLabel('Mailbox manager').check()
    await page.getByLabel('Only these').check()
    await page.getByRole('button', { name: 'Create embed' }).click()
    await page.getByText('Choose at least one mailbox, or allow all of them').waitFor()
    await page.getByLabel('b@x.example').check()
    await page.getByLabel('Recipients per day').fill('50')
    await page.getByRole('button', { name: 'Create embed' }).click()
    await page.getByRole('heading', { name: 'Shop admin', level: 1 }).waitFor()
    expect(bodiesOf('/embeds', 'POST')).toEqual([
      {
        name: 'Till',
        allowed_origins: ['https://till.example', 'http://localhost:3000'],
        widgets: ['compose', 'config-manager'],
        config_ids: ['cfg_2'],
        limits: { messages_per_session: 20, recipients_per_session: 100, recipients_per_day: 50 },
        popup_sign_in: true,
      },
    ])
  })
})

describe('one embed', () => {
  it('shows a snippet with its height reserved and without a secret', async () => {
    await using screen = await inside(`#${sampleEmbedId}`)
    const { page } = screen
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy snippet' }).click()
    await page.getByRole('button', { name: 'Copied snippet' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`<script async src="${site.url}/embed/compose.js" data-embed="${sampleEmbedId}"></script>`)
    expect(copied).toContain(`<div data-sendwright="compose" style="min-height: ${reservedHeight('compose')}">`)
    expect(copied).toContain('<a href="mailto:studio@northwind.example">')
    expect(copied).not.toMatch(/ck_|at_|es_/)
    await page.getByRole('radio', { name: 'My server' }).check()
    await page
      .getByRole('region', { name: 'The server sample' })
      .getByText('process.env.SENDWRIGHT_SECRET_KEY')
      .waitFor()
    await page.getByRole('region', { name: 'The snippet' }).getByText('data-token-url="/my/embed-session"').waitFor()
  })

  it('allows a copy once its mailbox is loaded, with the link for pages without script', async () => {
    const mailboxes = Promise.withResolvers<undefined>()
    site.on('listEmailConfigs', async () => {
      await mailboxes.promise
      return { json: [sampleConfig()] }
    })
    await using screen = await inside(`#${sampleEmbedId}`)
    const { page } = screen
    await page.getByRole('region', { name: 'The snippet' }).getByText('data-sendwright="compose"').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Copy snippet' }).count()).toBe(0)
    mailboxes.resolve(undefined)
    await page.getByRole('button', { name: 'Copy snippet' }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'The snippet' }).textContent()).toContain('mailto:')
  })

  it('previews its widget with a session of its own, not with the user’s token', async () => {
    await using screen = await inside(`#${sampleEmbedId}`)
    await screen.page.getByLabel('Subject Line').waitFor()
    expect(bodiesOf('/embed/sessions', 'POST')).toEqual([
      { embed_id: sampleEmbedId, origin: site.url, user_ref: 'preview' },
    ])
    await expect
      .poll(() =>
        site.received.filter(({ path }) => path === '/email/configs').map(({ headers }) => headers.authorization),
      )
      .toContain('Bearer es_1')
  })

  it('shows open sessions and ends one, or all', async () => {
    site.on('revokeEmbedSession', { status: 204 })
    site.on('revokeEmbedSessions', () => {
      site.on('listEmbedSessions', { json: [] })
      return { status: 204 }
    })
    await using screen = await inside(`#${sampleEmbedId}`)
    const { page } = screen
    await page.getByRole('button', { name: 'End the session of till-2' }).click()
    await expect.poll(() => bodiesOf(`/embeds/${sampleEmbedId}/sessions/ses_1`, 'DELETE')).toHaveLength(1)
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByText('No open sessions.').waitFor()
  })

  it('shows its activity', async () => {
    await using screen = await inside(`#${sampleEmbedId}`)
    const table = screen.page.getByRole('table', { name: 'Activity' })
    await table.getByRole('row', { name: /Your order is on its way to 3 recipients till-2/ }).waitFor()
    await table.getByRole('row', { name: /Saved a template/ }).waitFor()
  })

  it('is paused and resumed', async () => {
    site.on('updateEmbed', ({ body }) => ({ json: sampleEmbed(body as object) }))
    await using screen = await inside(`#${sampleEmbedId}`)
    const { page } = screen
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('This embed is paused').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('This embed is paused').waitFor({ state: 'detached' })
  })

  it('is deleted after a confirmation that names the deleted data', async () => {
    site.on('deleteEmbed', { status: 204 })
    await using screen = await inside(`#${sampleEmbedId}`)
    const { page } = screen
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete “Shop admin”?' })
    await dialog.getByText('Sent messages are kept.').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Embeds', level: 1 }).waitFor()
  })
})

const consentPath =
  `/embed/authorize?embed=${sampleEmbedId}&origin=${encodeURIComponent('https://admin.northwind.example')}` +
  `&state=s1&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256&scopes=mail:send`

/** Opens the window as a page of the site would, and records the messages posted to it. */
async function openConsent(path = consentPath, isCut = false) {
  const page = await openDashboard(browser, site, { path: '/sandbox', token: 'at_1' })
  await page.page.addInitScript((cut) => {
    const posted: unknown[] = []
    const opener = { postMessage: (...given: unknown[]) => posted.push(given) }
    Object.assign(window, { posted, close: () => undefined })
    Object.defineProperty(window, 'opener', { value: cut ? null : opener })
  }, isCut)
  await page.page.goto(site.url + path)
  return page
}
const armed = (page: Page) => page.getByRole('button', { name: 'Allow', disabled: false }).waitFor()
const postedIn = (page: Page) => page.evaluate(() => (window as unknown as { posted: unknown[] }).posted)

describe('the consent window', () => {
  it('names the exact origin, the mailboxes and the limits, and posts the code to that origin only', async () => {
    site.on('giveEmbedConsent', { status: 201, json: { code: 'ec_1' } })
    await using opened = await openConsent()
    const { page } = opened
    await page.getByText('https://admin.northwind.example', { exact: true }).waitFor()
    await page.getByText('studio@northwind.example').first().waitFor()
    await page.getByText('For 15 minutes, at most 20 messages to 100 recipients.').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await expect
      .poll(() => postedIn(page))
      .toEqual([[{ type: 'sendwright:consent', state: 's1', code: 'ec_1' }, 'https://admin.northwind.example']])
  })

  it('H50 posts nothing when the server rejects the origin', async () => {
    site.on('getEmbedConsent', {
      status: 403,
      json: { detail: 'This page’s origin is not among the allowed origins.' },
    })
    await using opened = await openConsent(consentPath.replace('northwind', 'evil'))
    await opened.page.getByText('This page cannot be allowed').waitFor()
    await expect.poll(() => opened.page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    await expect.poll(() => postedIn(opened.page)).toEqual([])
  })

  it('informs the page when the user denies consent', async () => {
    await using opened = await openConsent()
    await opened.page.getByRole('button', { name: 'Cancel' }).click()
    await expect
      .poll(() => postedIn(opened.page))
      .toEqual([[{ type: 'sendwright:consent', state: 's1', error: 'denied' }, 'https://admin.northwind.example']])
  })

  it('ignores a click that was meant for the page below it', async () => {
    await using opened = await openConsent()
    const allow = opened.page.getByRole('button', { name: 'Allow' })
    await armed(opened.page)
    const isEnabled = await allow.evaluate(async (button: HTMLButtonElement) => {
      window.dispatchEvent(new Event('focus'))
      await new Promise(requestAnimationFrame)
      return !button.disabled
    })
    expect(isEnabled).toBe(false)
  })

  it('explains the remedy when the page cannot be reached', async () => {
    await using opened = await openConsent(consentPath, true)
    await opened.page.getByText('Cross-Origin-Opener-Policy: same-origin-allow-popups').waitFor()
  })

  it('shows an error when its address is incomplete', async () => {
    await using opened = await openConsent(consentPath.replace('S256', 'plain'))
    await opened.page.getByText('Invalid request').waitFor()
  })

  it('redirects a visitor to sign in, and back', async () => {
    await using opened = await openDashboard(browser, site, { path: consentPath })
    const { page } = opened
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.waitForURL((url) => url.pathname + url.search === consentPath)
  })

  it('is shown in no frame, and keeps its connection to the window that opened it', async () => {
    const { headers } = await fetch(site.url + consentPath, { headers: { accept: 'text/html' } })
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  })
})

const scenes: Record<string, { hash?: string; prepare?: () => void; act: (page: Page) => Promise<unknown> }> = {
  'the list': { act: (page) => page.getByRole('link', { name: 'Shop admin' }).waitFor() },
  'no embeds': {
    prepare: () => site.on('listEmbeds', { json: [] }),
    act: (page) => page.getByText('No embeds yet').waitFor(),
  },
  'a new embed with every field to correct': {
    hash: '#new',
    act: async (page) => {
      await page.getByLabel('Composer').uncheck()
      await page.getByLabel('Only these').check()
      await page.getByLabel('Messages per session').fill('many')
      await page.getByRole('button', { name: 'Create embed' }).click()
      await page.getByText('Enter a name').waitFor()
      await page.getByText('Choose at least one widget').waitFor()
    },
  },
  'one embed': {
    hash: `#${sampleEmbedId}`,
    act: async (page) => {
      await page.getByRole('radio', { name: 'My server' }).check()
      await page.getByLabel('Subject Line').waitFor()
      await page.getByRole('table', { name: 'Activity' }).waitFor()
    },
  },
  'a paused embed, and the question before it goes': {
    hash: `#${sampleEmbedId}`,
    prepare: () => site.on('getEmbed', { json: sampleEmbed({ status: 'paused' }) }),
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
}

describe('axe finds no violation in', () => {
  const inspect = async (page: Page) => {
    for (const viewport of [viewports.desktop, viewports.phone]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await axeViolations(page), `${colorScheme}, ${viewport.width}`).toEqual([])
      }
    }
  }
  for (const [name, { hash, prepare, act }] of Object.entries(scenes)) {
    it(name, async () => {
      prepare?.()
      await using screen = await inside(hash)
      await act(screen.page)
      await inspect(screen.page)
    })
  }

  it('the consent window', async () => {
    await using opened = await openConsent()
    await armed(opened.page)
    await inspect(opened.page)
  })
})
