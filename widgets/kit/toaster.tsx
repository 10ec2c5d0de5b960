import { useEffect } from 'react'
import { proxy, useSnapshot } from 'valtio'
import { toastMs } from '../lib/timers.ts'
import type { Notify, Toast } from '../lib/notify.ts'
import { Button } from './button.tsx'
import { createSheet, useSheet } from './sheet.ts'
import { mountInShadow } from './shadow-host.tsx'
import { x } from './icons.ts'
import { css } from './toaster.css'

const sheet = createSheet(css)

interface Shown extends Toast {
  id: number
  leftMs: number
}

/** A place for toasts in pages that bring none: top-right, 5000 ms, resting while hovered or the window is not looked at. */
export function mountToaster(element: Element): { notify: Notify; close: () => void } {
  const toaster = createToaster()
  const unmount = mountInShadow(element, <Toaster toaster={toaster} />)
  return {
    notify: toaster.notify,
    close() {
      toaster.rest('closed')
      unmount()
    },
  }
}

type Resting = 'hover' | 'blur' | 'closed'

/** Toasts and their time. Time passes only while nothing makes them rest. */
export interface ToasterStore {
  readonly toasts: Shown[]
  notify: Notify
  dismiss(id: number): void
  rest(why: Resting): void
  go(why: Resting): void
}

/** The toasts of one place. */
export function createToaster(): ToasterStore {
  const toasts = proxy<Shown[]>([])
  const resting = new Set<Resting>()
  let nextId = 1
  let timer: ReturnType<typeof setTimeout> | undefined
  let startedAt = 0

  function pass(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const passedMs = performance.now() - startedAt
    for (const toast of toasts) toast.leftMs -= passedMs
    for (const toast of [...toasts]) if (toast.leftMs <= 0) remove(toast.id)
  }

  function schedule(): void {
    if (timer !== undefined || resting.size > 0 || toasts.length === 0) return
    startedAt = performance.now()
    const firstMs = Math.min(...toasts.map((toast) => toast.leftMs))
    timer = setTimeout(() => {
      pass()
      schedule()
    }, firstMs)
  }

  function remove(id: number): void {
    const at = toasts.findIndex((toast) => toast.id === id)
    if (at >= 0) toasts.splice(at, 1)
  }

  return {
    toasts,
    notify(toast) {
      pass()
      toasts.push({ ...toast, id: nextId++, leftMs: toastMs })
      schedule()
    },
    dismiss(id) {
      pass()
      remove(id)
      schedule()
    },
    rest(why) {
      pass()
      resting.add(why)
    },
    go(why) {
      resting.delete(why)
      schedule()
    },
  }
}

/** The live region and its toasts. It stands in the page before the first toast, or the first would not be announced. */
function Toaster({ toaster }: { toaster: ToasterStore }) {
  useSheet(sheet)
  const toasts = useSnapshot(toaster.toasts)
  useEffect(() => {
    const onBlur = () => toaster.rest('blur')
    const onFocus = () => toaster.go('blur')
    window.addEventListener('blur', onBlur)
    window.addEventListener('focus', onFocus)
    return () => {
      window.removeEventListener('blur', onBlur)
      window.removeEventListener('focus', onFocus)
    }
  }, [toaster])
  return (
    <div
      className="toasts"
      role="log"
      aria-label="Notifications"
      onMouseEnter={() => toaster.rest('hover')}
      onMouseLeave={() => toaster.go('hover')}
    >
      {toasts.map(({ id, kind, text }) => (
        <div key={id} className={`toast ${kind}`}>
          <span>{text}</span>
          <Button kind="quiet" size="small" icon={x} aria-label="Dismiss" onClick={() => toaster.dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
