import { beforeEach, describe, expect, it } from 'vitest'
import type { ConfigUsage } from '../../contract/mail/config.ts'
import { configBench } from '../../tests/support/config-bench.ts'
import { sampleConfig, sampleUsage } from '../../tests/support/samples.ts'

const bench = configBench()
const none = { limit_per_minute: null, limit_per_day: null, limit_connections: null }
const needed = 'Enter a whole number from 1 to'

const tell = (changes: Partial<ConfigUsage>) =>
  bench.api.on('listConfigUsage', { json: [sampleUsage(changes)], headers: { 'X-Total-Count': '1' } })
const changes = () => bench.api.received.filter((one) => one.method === 'PATCH').map(({ body }) => body)
const dialog = () => bench.page.root().querySelector('dialog')
const open = async () => {
  await bench.ready()
  await bench.page.until(() => bench.page.button('Limits of studio@northwind.example'))
  bench.page.click('Limits of studio@northwind.example')
  await bench.page.until(() => dialog())
}
const save = () => {
  const submitted = new Event('submit', { bubbles: true, cancelable: true, composed: true })
  dialog()?.querySelector('form')?.dispatchEvent(submitted)
}

beforeEach(() => {
  tell({})
  bench.api.on('updateEmailConfig', { json: sampleConfig() })
})

describe('the limits of a mailbox', () => {
  it("show the provider's defaults, and the owner's overrides", async () => {
    tell({ own_limits: { ...none, limit_per_day: 300 } })
    await open()
    expect(bench.page.field('Mails a minute').placeholder).toBe('No limit')
    expect(bench.page.field('Mails in 24 hours').value).toBe('300')
    expect(bench.page.field('Connections at a time').placeholder).toBe('3')
    expect(dialog()?.textContent).toContain('450 for gmail')
  })

  it('are saved with a toast, and the meter uses them', async () => {
    await open()
    bench.page.type('Mails in 24 hours', '1,200')
    bench.page.type('Connections at a time', '2')
    tell({ day_limit: 1200 })
    save()
    await bench.page.until(() => bench.rows()[0]?.includes('120 of 1,200'))
    expect(changes()).toEqual([{ limit_per_minute: null, limit_per_day: 1200, limit_connections: 2 }])
    await bench.page.until(() => dialog() === null)
    expect(bench.toasts).toMatchObject([{ kind: 'success', text: expect.stringContaining('are saved') }])
  })

  it("warn above the provider's known limits", async () => {
    await open()
    const warning = 'More than gmail is known to take'
    bench.page.type('Mails in 24 hours', '450')
    expect(dialog()?.textContent).not.toContain(warning)
    bench.page.type('Mails in 24 hours', '451')
    await bench.page.until(() => dialog()?.textContent.includes(warning))
  })

  it.each(['0', '-3', '1.5', 'many', '101'])("show the field's error at %j, and send nothing", async (text) => {
    await open()
    bench.page.type('Connections at a time', text)
    save()
    await bench.page.until(() => dialog()?.textContent.includes(`${needed} 100`))
    const field = bench.page.field('Connections at a time')
    await bench.page.until(() => (bench.page.root() as ShadowRoot).activeElement === field)
    expect([field.getAttribute('aria-invalid'), field.value, changes()]).toEqual(['true', text, []])
  })

  it('are reset to those of the provider', async () => {
    tell({ own_limits: { ...none, limit_per_day: 300 } })
    await open()
    bench.page.click('Reset to defaults')
    await bench.page.until(() => bench.page.field('Mails in 24 hours').value === '')
    save()
    await bench.page.until(() => changes().length === 1)
    expect(changes()).toEqual([none])
  })

  it('keep the input when the server rejects, and show why', async () => {
    bench.api.on('updateEmailConfig', { status: 503, json: { detail: 'The service is stopping.' } })
    await open()
    bench.page.type('Mails a minute', '7')
    save()
    await bench.page.until(() => dialog()?.querySelector('[role=alert]')?.textContent.includes('is stopping'))
    expect(bench.page.field('Mails a minute').value).toBe('7')
  })

  it('are not offered when the server returns none, as in third-party pages', async () => {
    tell({ own_limits: null })
    await bench.ready()
    await bench.page.until(() => bench.rows()[0]?.includes('120 of 450'))
    expect(() => bench.page.button('Limits of studio@northwind.example')).toThrow()
  })
})
