import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { axeViolations, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()
const widgets = '<div data-sendwright="compose"></div><div data-sendwright="config-manager"></div>'

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('@tailwindcss/browser')
  const script = await readFile(file, 'utf8')
  bench.host.on('/tailwind.js', { html: script, headers: { 'Content-Type': 'text/javascript' } })
})

interface DarkPage {
  how: string
  head: string
  body: string
  /** Runs in the page: the theme switch of the page. */
  turnLight: () => void
}

const css = (rules: string) => `<style>${rules}</style>`

const pages: readonly DarkPage[] = [
  {
    how: 'Tailwind’s class="dark"',
    head: `<script src="/tailwind.js"></script><style type="text/tailwindcss">@custom-variant dark (&:where(.dark, .dark *));</style>
<script>document.documentElement.classList.add('dark')</script>`,
    body: `<main class="min-h-screen bg-white dark:bg-slate-900 text-slate-900 dark:text-slate-100 p-4">${widgets}</main>`,
    turnLight: () => document.documentElement.classList.remove('dark'),
  },
  {
    how: 'next-themes’ data-theme',
    head: `${css(`body { background: hsl(0 0% 100%) }
[data-theme='dark'] body { background: hsl(240 10% 3.9%) }`)}<script>document.documentElement.dataset.theme = 'dark'</script>`,
    body: widgets,
    turnLight: () => void (document.documentElement.dataset['theme'] = 'light'),
  },
  {
    how: 'Bulma’s background of the root',
    head: `${css(`html { background-color: hsl(221 14% 100%) } html[data-theme=dark] { background-color: hsl(221 14% 9%) }`)}
<script>document.documentElement.dataset.theme = 'dark'</script>`,
    body: `<section>${widgets}</section>`,
    turnLight: () => document.documentElement.removeAttribute('data-theme'),
  },
  {
    how: 'MUI’s style element, which is made again',
    head: '<style id="mui">body { background-color: #121212; color: #fff }</style>',
    body: widgets,
    turnLight() {
      const next = document.createElement('style')
      document.querySelector('#mui')!.replaceWith(next)
      next.sheet!.insertRule('body { background-color: #fff; color: rgba(0, 0, 0, 0.87) }')
    },
  },
  {
    how: 'a dark part of a light page',
    head: css(
      '.band { background: #111827 } .band .tint { background: rgb(255 255 255 / 0.04) } .plain { background: #fff }',
    ),
    body: `<section class="band"><div class="tint">${widgets}</div></section>`,
    turnLight: () => void (document.querySelector('section')!.className = 'plain'),
  },
  {
    how: 'a colour between dark and light',
    head: css('body { background: #4b5563 } body.day { background: #e5e7eb }'),
    body: widgets,
    turnLight: () => document.body.classList.add('day'),
  },
  {
    how: 'a gradient',
    head: css(
      'body { background: linear-gradient(135deg, #1e3a8a, #581c87) } .day { background: linear-gradient(#fff, #eef) }',
    ),
    body: widgets,
    turnLight: () => document.body.classList.add('day'),
  },
]

/** The colour scheme in which each widget renders. */
const schemes = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-sendwright]')].map(
      (one) => getComputedStyle(one.shadowRoot!.querySelector('div')!).colorScheme,
    ),
  )

describe('a widget with theme auto', () => {
  it.each(pages)(
    'TRIAL-56 is legible on $how, and follows when the page turns light',
    async ({ head, body, turnLight }) => {
      bench.host.on('/', pageWith(bench.embed, body, { head }))
      await using opened = await openPage(bench.browser, { reducedMotion: 'reduce' })
      const { page } = opened
      await page.goto(bench.host.url)
      await waitForState(page, 'ready', 2)
      await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
      await expect.poll(() => schemes(page)).toEqual(['dark', 'dark'])
      expect(await axeViolations(page, { isRecoloured: true })).toEqual([])
      await page.evaluate(turnLight)
      await expect.poll(() => schemes(page)).toEqual(['light', 'light'])
      expect(await axeViolations(page, { isRecoloured: true })).toEqual([])
    },
  )

  it('TRIAL-56 is dark from its first frame on a dark page, before anything but the core has loaded', async () => {
    bench.host.on('/', pageWith(bench.embed, widgets, { head: css('body { background: oklch(0.21 0.03 265) }') }))
    await using opened = await openPage(bench.browser, { allowFaults: /ERR_FAILED/ })
    const { page } = opened
    await page.route('**/follow-*.js', (route) => route.abort())
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 2)
    await expect.poll(() => schemes(page)).toEqual(['dark', 'dark'])
  })

  it('TRIAL-56 follows the system when the page does, and keeps an explicit theme', async () => {
    const head = css(':root { color-scheme: light dark }')
    const body = `${widgets}<div data-sendwright="compose" data-sendwright-theme="light"></div>`
    bench.host.on('/', pageWith(bench.embed, body, { head }))
    await using opened = await openPage(bench.browser, { colorScheme: 'dark' })
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 3)
    const ink = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[data-sendwright]')].map((one) => {
          const host = one.shadowRoot!.querySelector('div > div > div')!
          return getComputedStyle(host).color
        }),
      )
    const [dark, , light] = await ink()
    expect(dark).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(ink).toEqual([light, expect.anything(), light])
    await page
      .locator('[data-sendwright]')
      .last()
      .evaluate((one) => one.setAttribute('data-sendwright-theme', 'auto'))
    await page.evaluate(() => void (document.body.style.background = '#101010'))
    await expect.poll(ink).toEqual([dark, expect.anything(), dark])
  })

  it('TRIAL-56 uses the final colour of a transition of the page', async () => {
    const head = css('body { background: #111; transition: background-color 0.3s } body.day { background: #fff }')
    bench.host.on('/', pageWith(bench.embed, widgets, { head }))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 2)
    await page.locator('link[href*="/follow-"]').waitFor({ state: 'attached' })
    await expect.poll(() => schemes(page)).toEqual(['dark', 'dark'])
    await page.evaluate(() => document.body.classList.add('day'))
    await expect.poll(() => schemes(page)).toEqual(['light', 'light'])
  })
})
