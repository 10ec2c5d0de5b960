import { useEffect, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/form/button.tsx'
import { atSign } from '../kit/icon/icons.ts'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../kit/feedback/states.tsx'
import { useModule } from '../kit/use-module.ts'
import type { Notify } from '../lib/notify.ts'
import type { SignInAtProvider } from './add-form-store.ts'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { css } from './config-manager.css'
import { useMessages } from '../kit/text/text.tsx'

const sheet = createSheet(css)
const loadForm = () => import('./add-form.tsx')
const loadRows = () => import('./config-rows.tsx')
const loadDialog = () => import('./dialogs.tsx')

export interface ConfigManagerProps {
  store: ConfigManagerStore
  notify: Notify
  sandbox: boolean
  /** `add` puts the focus on the add form at once. */
  focus?: 'add' | undefined
  signIn?: SignInAtProvider | undefined
}

/** The list of configurations and the form that adds one. */
export function ConfigManager({ store, notify, sandbox, focus, signIn }: ConfigManagerProps) {
  useSheet(sheet)
  const t = useMessages()
  const { list, asked } = useSnapshot(store.state)
  const hasRows = list.items.length > 0
  const rows = useModule(loadRows, hasRows)
  const form = useModule(loadForm, true)
  const dialog = useModule(loadDialog, asked !== null)
  const activeCount = list.items.filter(({ status }) => status === 'active').length

  useEffect(() => {
    if (focus === 'add') store.goToForm()
  }, [focus, store])

  let content: ReactNode
  if (hasRows && rows.module) content = <rows.module.ConfigRows store={store} notify={notify} />
  else if (!hasRows && list.status === 'failed') {
    content = (
      <ErrorState
        title={t('The list could not be loaded')}
        text={t(list.error ?? '')}
        onRetry={() => void store.reload()}
      />
    )
  } else if (!hasRows && list.status === 'ready') {
    content = (
      <EmptyState
        icon={atSign}
        title={t('No configurations')}
        text={t('Connect a mailbox that you already own, then send from it.')}
      >
        <Button data-needs="configs:write" kind="primary" onClick={() => store.goToForm()}>
          {t('Create Config')}
        </Button>
      </EmptyState>
    )
  } else content = <ListBones />

  return (
    <div className="manager">
      <div className="manager-panes" data-beside="configs:write">
        <section className="card" aria-label={t('Email Configs')}>
          <header>
            <h2>{t('Email Configs')}</h2>
            {hasRows && <span className="count">{t('{count} active', { count: activeCount })}</span>}
            <a
              href="#add"
              data-needs="configs:write"
              onClick={(event) => {
                event.preventDefault() // The form is in a shadow root, which a fragment does not reach.
                store.goToForm()
              }}
            >
              {t('New Config')}
            </a>
          </header>
          {hasRows && list.status === 'failed' && (
            <p className="stale">{t('Not up to date: {reason}', { reason: t(list.error ?? '') })}</p>
          )}
          {content}
        </section>
        {form.module && <form.module.AddForm manager={store} sandbox={sandbox} signIn={signIn} />}
        {form.retry && (
          <ErrorState
            title={t('The form could not be loaded')}
            text={t('Check your connection.')}
            onRetry={form.retry}
          />
        )}
      </div>
      {dialog.module && asked && <dialog.module.ConfigDialog store={store} />}
    </div>
  )
}

function ListBones() {
  return (
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
