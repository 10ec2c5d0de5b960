import { beforeEach, describe, expect, it } from 'vitest'
import { configBench, shop } from '../../tests/support/config-bench.ts'
import { sampleConfig, sampleUsage } from '../../tests/support/samples.ts'

const bench = configBench()
const own = sampleConfig()
const paused = { status: 'paused', pause_reason: 'A member of this workspace paused it.' } as const

const calls = (method: string) =>
  bench.api.received.filter((one) => one.method === method).map(({ path, body }) => ({ path, body }))
const press = async (name: string) => {
  await bench.page.until(() => bench.page.button(name))
  bench.page.click(name)
}

beforeEach(() => {
  bench.api.on('updateEmailConfig', ({ body }) => ({
    json: { ...own, ...(body as object), ...((body as { status: string }).status === 'paused' ? paused : {}) },
  }))
  bench.api.on('rotateSecretKey', { json: { ...own, secret_key: 'ck_another' } })
  bench.api.on('sendMailWithKey', {
    json: { message: 'Email sent successfully to 1 recipients', id: 'msg_1', accepted: 1, suppressed: 0 },
  })
})

describe('a mailbox in the list', () => {
  it('shows its quota usage, and the text of its last refusal', async () => {
    const lastError = { reply: '550 5.1.1 No such user', recipient: 'gone@example.org', at: '2025-08-14T09:30:00.000Z' }
    bench.api.on('listConfigUsage', {
      json: [sampleUsage({ day_count: 405 }), sampleUsage({ id: shop.id, day_limit: null, last_error: lastError })],
      headers: { 'X-Total-Count': '2' },
    })
    await bench.ready()
    await bench.page.until(() => bench.rows()[0]?.includes('405 of 450'))
    const meter = bench.page.root().querySelector('[role=meter]')
    expect(meter?.getAttribute('aria-valuenow')).toBe('405')
    expect(meter?.getAttribute('aria-label')).toBe('Quota of studio@northwind.example')
    expect(bench.rows()[1]).toContain('gone@example.org: 550 5.1.1 No such user')
  })

  it('has no meter when the usage is unavailable', async () => {
    bench.api.on('listConfigUsage', { status: 503, json: { detail: 'The service is stopping.' } })
    await bench.ready()
    await bench.page.until(() => bench.rows().length === 2)
    expect(bench.page.root().querySelector('[role=meter]')).toBeNull()
  })

  it('pauses, shows the state, and resumes', async () => {
    await bench.ready()
    await press('Pause studio@northwind.example')
    await bench.page.until(() => bench.rows()[0]?.includes('Paused. A member of this workspace paused it.'))
    expect(calls('PATCH')).toEqual([{ path: '/email/configs/cfg_1', body: { status: 'paused' } }])
    expect(bench.page.text()).toContain('1 active')
    await press('Resume studio@northwind.example')
    await bench.page.until(() => bench.page.text().includes('2 active'))
    expect(bench.toasts.map(({ kind }) => kind)).toEqual(['success', 'success'])
  })

  it('stays unchanged when the server rejects, and shows the reason', async () => {
    bench.api.on('updateEmailConfig', { status: 409, json: { detail: 'Its stored secrets do not open.' } })
    await bench.ready()
    await press('Pause studio@northwind.example')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts).toEqual([{ kind: 'error', text: 'Its stored secrets do not open.' }])
    expect(bench.page.text()).toContain('2 active')
  })

  it('sends a test mail to itself', async () => {
    await bench.ready()
    await press('Send a test from studio@northwind.example')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(calls('POST')).toMatchObject([
      {
        path: `/email/send-mail/${own.secret_key ?? ''}`,
        body: { recipient_list: ['studio@northwind.example'] },
      },
    ])
    expect(bench.toasts[0]?.kind).toBe('success')
  })

  it('is paused while another one is, and deleted while it is', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    bench.api.on('updateEmailConfig', async ({ params, body }) => {
      if (params['id'] === own.id) await promise
      return { json: { ...(params['id'] === own.id ? own : shop), ...(body as object), ...paused } }
    })
    await bench.ready()
    await press('Pause studio@northwind.example')
    await press('Pause shop@northwind.example')
    await bench.page.until(() => bench.rows()[1]?.includes('Paused.'))
    await press('Delete shop@northwind.example')
    await bench.page.until(() => bench.page.root().querySelector('dialog'))
    bench.page.click('Delete')
    await bench.page.until(() => bench.rows().length === 1)
    resolve(undefined)
    await bench.page.until(() => bench.rows()[0]?.includes('Paused.'))
  })

  it('shows why a test mail was not sent', async () => {
    bench.api.on('sendMailWithKey', { status: 502, json: { detail: '535 5.7.8 Bad credentials' } })
    await bench.ready()
    await press('Send a test from studio@northwind.example')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts).toEqual([{ kind: 'error', text: '535 5.7.8 Bad credentials' }])
  })

  it('gets a new secret key after a confirmation, which is copied from then on', async () => {
    await bench.ready()
    await press('New key for studio@northwind.example')
    await bench.page.until(() => bench.page.root().querySelector('dialog'))
    expect(bench.page.root().querySelector('dialog')?.textContent).toContain('works for 24 hours more')
    expect(calls('POST')).toEqual([])
    bench.page.click('Make new key')
    await bench.page.until(() => bench.page.root().querySelector('dialog') === null)
    bench.page.click('Copy key of studio@northwind.example')
    await bench.page.until(() => bench.copied.length === 1)
    expect(bench.copied).toEqual(['ck_another'])
  })
})
