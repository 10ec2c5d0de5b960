import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWidget } from '../../tests/support/widget-page.ts'
import { createToaster, mountToaster } from './toaster.tsx'

describe('the time of a toast', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const texts = (toaster: ReturnType<typeof createToaster>) => toaster.toasts.map((toast) => toast.text)

  it('is 5000 ms', () => {
    const toaster = createToaster()
    toaster.notify({ kind: 'info', text: 'one' })
    vi.advanceTimersByTime(4999)
    expect(texts(toaster)).toEqual(['one'])
    vi.advanceTimersByTime(2)
    expect(texts(toaster)).toEqual([])
  })

  it('stands still while it is hovered or the window is not looked at', () => {
    const toaster = createToaster()
    toaster.notify({ kind: 'info', text: 'one' })
    vi.advanceTimersByTime(3000)
    toaster.rest('hover')
    toaster.rest('blur')
    vi.advanceTimersByTime(60_000)
    toaster.go('hover')
    vi.advanceTimersByTime(60_000)
    expect(texts(toaster)).toEqual(['one'])
    toaster.go('blur')
    vi.advanceTimersByTime(1999)
    expect(texts(toaster)).toEqual(['one'])
    vi.advanceTimersByTime(2)
    expect(texts(toaster)).toEqual([])
  })

  it('runs for each toast on its own', () => {
    const toaster = createToaster()
    toaster.notify({ kind: 'info', text: 'one' })
    vi.advanceTimersByTime(2000)
    toaster.notify({ kind: 'error', text: 'two' })
    vi.advanceTimersByTime(3001)
    expect(texts(toaster)).toEqual(['two'])
    toaster.dismiss(2)
    expect(texts(toaster)).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('stands in a live region, can be dismissed, and leaves nothing behind', async () => {
  let notify: ReturnType<typeof mountToaster>['notify'] = () => undefined
  const page = openWidget((element) => {
    const toaster = mountToaster(element)
    notify = toaster.notify
    return () => toaster.close()
  })
  await page.until(() => page.root().querySelector('[role=log]'))
  notify({ kind: 'success', text: 'Copied to clipboard' })
  await page.until(() => page.text().includes('Copied to clipboard'))
  page.click('Dismiss')
  await page.until(() => page.text() === '')
  page.leave()
  expect(page.element.childElementCount).toBe(0)
})
