import { useEffect, useRef, type PointerEvent } from 'react'
import { proxy, useSnapshot } from 'valtio'
import type { Language } from '../../lib/messages/messages.ts'
import type { Notify, Toast } from '../../lib/notify.ts'
import { Button } from '../form/button.tsx'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { mountInShadow } from '../shadow/shadow-host.tsx'
import { x } from '../icon/icons.ts'
import { css } from './toaster.css'
import { useMessages } from '../text/text.tsx'

/** How long a toast is shown. */
const toastMs = 5000

const sheet = createSheet(css)

/** Further toasts wait until one of these closes. */
const maxShownCount = 4

interface QueuedToast extends Toast {
  id: number
  remainingMs: number
}

/** Mounts the toasts of a page: top-right, 5000 ms, paused on hover and on focus loss, draggable (spec §9). */
export function mountToaster(element: Element, language?: Language): { notify: Notify; close: () => void } {
  const toaster = createToaster()
  const unmount = mountInShadow(element, <Toaster toaster={toaster} />, language)
  return {
    notify: toaster.notify,
    close() {
      toaster.pause('closed')
      unmount()
    },
  }
}

type PauseReason = 'hover' | 'blur' | 'drag' | 'closed'

/** Toasts and their timers. The timers run only while there is no reason to pause. */
export interface ToasterStore {
  readonly toasts: QueuedToast[]
  notify: Notify
  dismiss(id: number): void
  pause(reason: PauseReason): void
  resume(reason: PauseReason): void
}

/** Creates the toast queue of one page. */
export function createToaster(): ToasterStore {
  const toasts = proxy<QueuedToast[]>([])
  const pauseReasons = new Set<PauseReason>()
  let nextId = 1
  let timer: ReturnType<typeof setTimeout> | undefined
  let startedAt = 0

  /** Stops the timer, subtracts the elapsed time and removes expired toasts. */
  function stop(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const elapsedMs = performance.now() - startedAt
    const shown = toasts.slice(0, maxShownCount)
    for (const toast of shown) toast.remainingMs -= elapsedMs
    for (const toast of shown) if (toast.remainingMs <= 0) remove(toast.id)
  }

  function start(): void {
    if (timer !== undefined || pauseReasons.size > 0 || toasts.length === 0) return
    startedAt = performance.now()
    const nextMs = Math.min(...toasts.slice(0, maxShownCount).map((toast) => toast.remainingMs))
    timer = setTimeout(() => {
      stop()
      start()
    }, nextMs)
  }

  function remove(id: number): void {
    const index = toasts.findIndex((toast) => toast.id === id)
    if (index >= 0) toasts.splice(index, 1)
  }

  return {
    toasts,
    notify(toast) {
      stop()
      toasts.push({ ...toast, id: nextId++, remainingMs: toastMs })
      start()
    },
    dismiss(id) {
      stop()
      pauseReasons.delete('hover') // A removed node gets no mouseout event.
      remove(id)
      start()
    },
    pause(reason) {
      stop()
      pauseReasons.add(reason)
    },
    resume(reason) {
      pauseReasons.delete(reason)
      start()
    },
  }
}

/** Errors are alerts. The others are in a live region that exists before the first toast, or it would not be announced. */
function Toaster({ toaster }: { toaster: ToasterStore }) {
  useSheet(sheet)
  const t = useMessages()
  const shown = useSnapshot(toaster.toasts).slice(0, maxShownCount)
  useEffect(() => {
    const onBlur = () => toaster.pause('blur')
    const onFocus = () => toaster.resume('blur')
    window.addEventListener('blur', onBlur)
    window.addEventListener('focus', onFocus)
    return () => {
      window.removeEventListener('blur', onBlur)
      window.removeEventListener('focus', onFocus)
    }
  }, [toaster])
  const items = (isError: boolean) =>
    shown
      .filter(({ kind }) => (kind === 'error') === isError)
      .map((toast) => <ToastItem key={toast.id} toast={toast} toaster={toaster} />)
  return (
    // Not onMouseEnter: React loses it where the pointer comes from another React root.
    <div className="toasts" onMouseOver={() => toaster.pause('hover')} onMouseOut={() => toaster.resume('hover')}>
      <div>{items(true)}</div>
      <div role="log" aria-label={t('Notifications')}>
        {items(false)}
      </div>
    </div>
  )
}

function ToastItem({
  toast: { id, kind, text, values },
  toaster,
}: {
  toast: Toast & { id: number }
  toaster: ToasterStore
}) {
  const t = useMessages()
  const startX = useRef<number | null>(null)
  const item = (event: PointerEvent) => event.currentTarget as HTMLElement

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest('button') !== null) return
    startX.current = event.clientX
    item(event).setPointerCapture(event.pointerId)
    toaster.pause('drag')
  }

  function onPointerMove(event: PointerEvent): void {
    if (startX.current !== null) item(event).style.translate = `${event.clientX - startX.current}px`
  }

  /** A drag over half of the width dismisses the toast; a shorter one moves it back. */
  function onDragEnd(event: PointerEvent): void {
    if (startX.current === null) return
    const isDismissed = Math.abs(event.clientX - startX.current) > item(event).offsetWidth / 2
    startX.current = null
    item(event).style.translate = ''
    if (isDismissed && event.type === 'pointerup') toaster.dismiss(id)
    toaster.resume('drag')
  }

  return (
    <div
      className={`toast ${kind}`}
      role={kind === 'error' ? 'alert' : undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onDragEnd}
      onPointerCancel={onDragEnd}
    >
      <span>{t(text, values)}</span>
      <Button kind="quiet" size="small" icon={x} aria-label={t('Dismiss')} onClick={() => toaster.dismiss(id)} />
    </div>
  )
}
