import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWidget } from '../../../tests/support/widget-page.ts'
import { createToaster, mountToaster } from './toaster.tsx'

describe('the timer of a toast', () => {
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

  it('pauses on hover and while the window has no focus', () => {
    const toaster = createToaster()
    toaster.notify({ kind: 'info', text: 'one' })
    vi.advanceTimersByTime(3000)
    toaster.pause('hover')
    toaster.pause('blur')
    vi.advanceTimersByTime(60_000)
    toaster.resume('hover')
    vi.advanceTimersByTime(60_000)
    expect(texts(toaster)).toEqual(['one'])
    toaster.resume('blur')
    vi.advanceTimersByTime(1999)
    expect(texts(toaster)).toEqual(['one'])
    vi.advanceTimersByTime(2)
    expect(texts(toaster)).toEqual([])
  })

  it('runs for each toast separately', () => {
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

  it('continues when a hovered toast is dismissed', () => {
    const toaster = createToaster()
    toaster.notify({ kind: 'info', text: 'one' })
    toaster.notify({ kind: 'info', text: 'two' })
    toaster.pause('hover')
    toaster.dismiss(1)
    vi.advanceTimersByTime(5001)
    expect(texts(toaster)).toEqual([])
  })

  it('starts for the fifth toast when one of the first four has closed', () => {
    const toaster = createToaster()
    for (const text of ['one', 'two', 'three', 'four', 'five']) toaster.notify({ kind: 'info', text })
    vi.advanceTimersByTime(4000)
    toaster.dismiss(1)
    vi.advanceTimersByTime(1001)
    expect(texts(toaster)).toEqual(['five'])
    vi.advanceTimersByTime(3998)
    expect(texts(toaster)).toEqual(['five'])
    vi.advanceTimersByTime(3)
    expect(texts(toaster)).toEqual([])
  })
})

it('is in a live region, can be dismissed, and leaves no node behind', async () => {
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
