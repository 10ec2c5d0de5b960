import { useSnapshot } from 'valtio'
import { proxy } from 'valtio/vanilla'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { sampleConfig } from '../../tests/support/samples.ts'
import { openWidget, testSession, type WidgetPage } from '../../tests/support/widget-page.ts'
import { createConfigManagerStore } from './config-manager-store.ts'
import { ConfigManager } from './config-manager.tsx'
import { mountInShadow } from '../kit/shadow/shadow-host.tsx'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
  api.on('listEmailConfigs', { json: [sampleConfig()], headers: { 'X-Total-Count': '1' } })
  api.on('listConfigUsage', { json: [], headers: { 'X-Total-Count': '0' } })
  api.on('listMailboxSignIns', { json: [] })
  api.on('discoverMailServer', { json: { server: null } })
})
afterAll(() => api.close())
const state = proxy({ isFaulty: false })
const pages: WidgetPage[] = []
afterEach(() => {
  state.isFaulty = false
  for (const page of pages.splice(0)) page.leave()
  vi.restoreAllMocks()
})

function Part() {
  if (useSnapshot(state).isFaulty) throw new Error('The part is faulty.')
  return <p>The part is there.</p>
}

/** The mailbox manager, beside a part in the same widget that can be made faulty. */
function openWithPart(): WidgetPage {
  const notify = () => undefined
  const store = createConfigManagerStore({ session: testSession(api.url), notify })
  const page = openWidget((element) =>
    mountInShadow(
      element,
      <>
        <Part />
        <ConfigManager store={store} notify={notify} sandbox={false} />
      </>,
    ),
  )
  pages.push(page)
  return page
}

describe('a fault in a widget', () => {
  it('TRIAL-04 keeps the input: after the retry the fields hold it', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const page = openWithPart()
    await page.until(() => page.text().includes('App password'))
    page.type('Email address', 'shop@northwind.example')
    page.type('App password', 'abcd efgh ijkl mnop')
    state.isFaulty = true
    await page.until(() => page.text().includes('This part stopped working. What you typed is kept.'))
    expect(page.root().querySelector('form')).toBeNull()
    state.isFaulty = false
    page.click('Try Again')
    await page.until(() => page.root().querySelector('form'))
    expect(page.field('Email address').value).toBe('shop@northwind.example')
    expect(page.field('App password').value).toBe('abcd efgh ijkl mnop')
  })

  it('TRIAL-03 does not affect the other widgets of the page', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const faulty = openWithPart()
    const other = openWidget((element) => mountInShadow(element, <input aria-label="Note" />))
    pages.push(other)
    await faulty.until(() => faulty.text().includes('The part is there.'))
    await other.until(() => other.root().querySelector('input'))
    other.type('Note', 'kept')
    state.isFaulty = true
    await faulty.until(() => faulty.text().includes('This part stopped working.'))
    expect(other.field('Note').value).toBe('kept')
  })

  it('TRIAL-05 is written to the console', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const page = openWithPart()
    await page.until(() => page.text().includes('The part is there.'))
    expect(written).not.toHaveBeenCalled()
    state.isFaulty = true
    await page.until(() => page.text().includes('This part stopped working.'))
    expect(written.mock.calls.flat().map(String)).toContain('Error: The part is faulty.')
  })
})
