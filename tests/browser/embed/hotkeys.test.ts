import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()

declare global {
  interface Window {
    /** Keys that the page's hotkeys received. */
    pressed: string[]
  }
}

/** A page with single-letter hotkeys which, like common libraries, ignores input into its own fields. */
const hotkeys = `<script>
  window.pressed = []
  for (const type of ['keydown', 'keypress', 'keyup'])
    document.addEventListener(type, (event) => {
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
      pressed.push(event.type + ' ' + event.key)
      if (event.key.length === 1 && !event.ctrlKey) event.preventDefault()
    })
</script>`

async function open(widget = 'compose'): Promise<Awaited<ReturnType<typeof openPage>>> {
  bench.host.on('/', pageWith(bench.embed, `<div data-sendwright="${widget}"></div>`, { head: hotkeys }))
  const opened = await openPage(bench.browser)
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  return opened
}

const pressed = (page: Page) => page.evaluate(() => window.pressed.splice(0))

describe('a page with single-letter hotkeys', () => {
  it.each([
    ['compose', 'Subject Line'],
    ['compose', 'Message body'],
    ['compose', 'Recipients'],
    ['config-manager', 'App Password'],
  ])('TRIAL-57 keeps input into %s, %s, and triggers no hotkey', async (widget, label) => {
    await using opened = await open(widget)
    const { page } = opened
    const field = page.getByLabel(label, { exact: widget === 'compose' }).first()
    await field.click()
    await pressed(page)
    await page.keyboard.type('a/jk?gs')
    await expect.poll(() => field.inputValue()).toBe('a/jk?gs')
    expect((await pressed(page)).filter((key) => !key.includes('Shift'))).toEqual([])
  })

  it('TRIAL-57 keeps its hotkeys when no field has the focus', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Bold' }).focus()
    await pressed(page)
    await page.keyboard.press('j')
    expect(await pressed(page)).toEqual(['keydown j', 'keyup j'])
  })

  it('TRIAL-58 receives Escape and Tab pressed in a field', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').click()
    await pressed(page)
    await page.keyboard.press('Escape')
    expect(await pressed(page)).toEqual(['keydown Escape', 'keyup Escape'])
    await page.keyboard.down('Tab')
    expect(await pressed(page)).toEqual(['keydown Tab'])
    await page.keyboard.up('Tab')
  })

  it('TRIAL-58 receives Ctrl shortcuts from press to release, and not the characters of Ctrl+Alt', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').click()
    await pressed(page)
    await page.keyboard.press('Control+k')
    expect(await pressed(page)).toEqual(['keydown Control', 'keydown k', 'keyup k', 'keyup Control'])
    await page.keyboard.down('Control')
    await page.keyboard.press('Alt+q')
    await page.keyboard.up('Control')
    expect((await pressed(page)).filter((key) => key.endsWith('q'))).toEqual([])
  })
})
