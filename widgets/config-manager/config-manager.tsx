import { useEffect, useRef, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { atSign } from '../kit/icons.ts'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../kit/states.tsx'
import { useModule } from '../kit/use-module.ts'
import type { Notify } from '../lib/notify.ts'
import { AddForm } from './add-form.tsx'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { css } from './config-manager.css'
import { ConfigRows } from './config-rows.tsx'

const sheet = createSheet(css)
const loadDelete = () => import('./delete-dialog.tsx')

export interface ConfigManagerProps {
  store: ConfigManagerStore
  notify: Notify
  sandbox: boolean
  /** `add` puts the focus on the add form at once. */
  focus?: 'add' | undefined
}

/** The list of configurations and the form that adds one. */
export function ConfigManager({ store, notify, sandbox, focus }: ConfigManagerProps) {
  useSheet(sheet)
  const { list, asked } = useSnapshot(store.state)
  const dialog = useModule(loadDelete, asked !== null)
  const form = useRef<HTMLFormElement>(null)
  const goToForm = (selector = 'input') => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    form.current?.scrollIntoView({ block: 'nearest', behavior: calm ? 'auto' : 'smooth' })
    form.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (focus === 'add') form.current?.querySelector('input')?.focus()
  }, [focus])

  const hasRows = list.items.length > 0
  const activeCount = list.items.filter(({ status }) => status === 'active').length
  let content: ReactNode
  if (hasRows) {
    content = (
      <ConfigRows
        store={store}
        notify={notify}
        onConnectAgain={(config) => {
          store.connectAgain(config)
          goToForm('[type=password]')
        }}
      />
    )
  } else if (list.status === 'failed') {
    content = (
      <ErrorState title="The list could not be loaded" text={list.error ?? ''} onRetry={() => void store.reload()} />
    )
  } else if (list.status === 'ready') {
    content = (
      <EmptyState
        icon={atSign}
        title="No configurations"
        text="Connect a mailbox that you already own, then send from it."
      >
        <Button kind="primary" onClick={() => goToForm()}>
          Create Config
        </Button>
      </EmptyState>
    )
  } else {
    content = (
      <Skeleton>
        {['46%', '58%', '40%'].map((width) => (
          <div key={width} className="bones">
            <Bone width={width} />
            <Bone width="18%" />
          </div>
        ))}
      </Skeleton>
    )
  }

  return (
    <div className="manager">
      <div className="manager-panes">
        <section className="card" aria-label="Email Configs">
          <header>
            <h2>Email Configs</h2>
            {hasRows && <span className="count">{activeCount} active</span>}
            <a
              href="#add"
              onClick={(event) => {
                event.preventDefault() // The form stands in a shadow root, where a fragment does not reach.
                goToForm()
              }}
            >
              New Config
            </a>
          </header>
          {hasRows && list.status === 'failed' && <p className="stale">Not up to date: {list.error}</p>}
          {content}
        </section>
        <AddForm store={store} sandbox={sandbox} form={form} />
      </div>
      {dialog.status === 'ready' && asked && <dialog.module.DeleteDialog store={store} />}
    </div>
  )
}
