import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Config, ConfigUsage } from '../../contract/mail/config.ts'
import { Button } from '../kit/form/button.tsx'
import { CopyButton } from '../kit/form/copy-button.tsx'
import type { IconData } from '../kit/icon/icon.tsx'
import { gauge, mail, pause, play, refresh, trash } from '../kit/icon/icons.ts'
import { Meter } from '../kit/feedback/meter.tsx'
import { Table, type Column } from '../kit/table/table.tsx'
import { TextField } from '../kit/form/text-field.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { maskSecretKey } from '../lib/mask.ts'
import { copied, notCopied } from '../lib/config-messages.ts'
import type { Notify } from '../lib/notify.ts'
import type { MessageId } from '../lib/messages/messages-es.ts'
import type { ConfigAct } from './acts-store.ts'
import type { ConfigManagerStore, ConfigQuestion } from './config-manager-store.ts'
import { css } from './config-rows.css'
import { richText } from '../kit/text/rich-text.tsx'
import { useMessages, useText } from '../kit/text/text.tsx'

const sheet = createSheet(css)

/** From how many rows on a filter is offered, and how many rows are added at a time. */
const filterFromCount = 10
const pageCount = 100

/** What only an owner does has no translation. */
type ActLabel =
  | { needs: 'mail:send' | 'configs:write'; icon: IconData; text: MessageId; name: MessageId }
  | { needs: 'owner'; icon: IconData; text: string; name: string }

const labels = {
  test: { needs: 'mail:send', icon: mail, text: 'Test', name: 'Send a test from {address}' },
  pause: { needs: 'configs:write', icon: pause, text: 'Pause', name: 'Pause {address}' },
  resume: { needs: 'configs:write', icon: play, text: 'Resume', name: 'Resume {address}' },
  limits: { needs: 'owner', icon: gauge, text: 'Limits', name: 'Limits of {address}' },
  rotate: { needs: 'owner', icon: refresh, text: 'New key', name: 'New key for {address}' },
  delete: { needs: 'configs:write', icon: trash, text: 'Delete', name: 'Delete {address}' },
} as const satisfies Record<ConfigAct | ConfigQuestion, ActLabel>

export interface ConfigRowsProps {
  store: ConfigManagerStore
  notify: Notify
}

/** The configurations: address, provider, state, masked key, what can be done with each. */
export function ConfigRows({ store, notify }: ConfigRowsProps) {
  useSheet(sheet)
  const t = useMessages()
  /** Accepts also the texts of the owner, which have no translation. */
  const owner = useText()
  const { list, filter, usage, acts } = useSnapshot(store.state, { sync: true })
  const [shownCount, setShownCount] = useState(pageCount)
  useEffect(() => {
    return store.watchUsage()
  }, [store])
  const found = list.items.filter(({ email_address }) => email_address.includes(filter.trim().toLowerCase()))
  const actsOf = ({ id, status, secret_key: key }: Config): (keyof typeof labels)[] => [
    ...(status === 'active' && key !== null ? (['test'] as const) : []),
    status === 'active' ? 'pause' : 'resume',
    // On third-party pages limits cannot be set: the server sends none there.
    ...(usage[id]?.own_limits ? (['limits'] as const) : []),
    'rotate',
    'delete',
  ]
  const columns: Column<Config>[] = [
    {
      label: t('Email'),
      cell: (config) => (
        <span className="mailbox">
          <b>{config.email_address}</b>
          <span className="provider">
            {t(config.provider as string)}
            {!isAlias(config.secret_key) && (
              <>
                {' · '}
                {richText(owner, 'key {key}', { key: <code>{maskSecretKey(config.secret_key)}</code> })}
              </>
            )}
          </span>
          {config.status === 'paused' && (
            <span className="paused">
              <span>{t('Paused. {reason}', { reason: t(config.pause_reason ?? '') })}</span>
              <Button data-needs="configs:write" size="small" onClick={() => store.goToForm('app_password', config)}>
                {t('Connect again')}
              </Button>
            </span>
          )}
          <LastError of={usage[config.id]} />
        </span>
      ),
    },
    {
      label: t('Last 24 hours'),
      cell: ({ id, email_address: address }) => {
        const used = usage[id]
        if (used === undefined) return <span className="waits">…</span>
        return <Meter label={t('Quota of {address}', { address })} used={used.day_count} limit={used.day_limit} />
      },
    },
    {
      label: t('Actions'),
      align: 'end',
      cell: (config) => {
        const key = isAlias(config.secret_key) ? null : config.secret_key
        return (
          <span className="row-actions">
            {key !== null && (
              <CopyButton
                face={{ text: owner('Copy key') }}
                text={key}
                what={owner('key of {address}', { address: config.email_address })}
                onCopied={() => notify({ kind: 'success', text: copied })}
                onFailed={() => notify({ kind: 'error', text: notCopied })}
              />
            )}
            {actsOf(config).map((what) => {
              const { needs, icon, text, name } = labels[what]
              const press = () =>
                what === 'limits' || what === 'rotate' || what === 'delete'
                  ? store.ask(what, config)
                  : void store.act(config, what)
              return (
                <Button
                  key={what}
                  data-needs={needs}
                  kind="quiet"
                  size="small"
                  icon={icon}
                  aria-label={owner(name, { address: config.email_address })}
                  busy={acts.includes(`${what} ${config.id}`)}
                  onClick={press}
                >
                  {owner(text)}
                </Button>
              )
            })}
          </span>
        )
      },
    },
  ]
  return (
    <>
      {list.items.length > filterFromCount && (
        <div className="filter">
          <TextField
            label={t('Find a mailbox')}
            type="search"
            value={filter}
            hint={t('{number} of {total}', { number: found.length, total: list.items.length })}
            onValue={(text) => store.setFilter(text)}
          />
        </div>
      )}
      <Table label={t('Email Configs')} columns={columns} rows={found.slice(0, shownCount)} rowKey={({ id }) => id} />
      {found.length > shownCount && (
        <div className="filter">
          <Button onClick={() => setShownCount(shownCount + pageCount)}>{t('Show more')}</Button>
        </div>
      )}
    </>
  )
}

/** Whether it is an alias of the key, valid only in the session of one page. */
function isAlias(secretKey: string | null): boolean {
  return secretKey?.startsWith('eh_') === true
}

/** What went wrong last, with the mail server's own words. */
function LastError({ of: usage }: { of: ConfigUsage | undefined }) {
  const t = useMessages()
  if (!usage?.last_error) return null
  const { reply, recipient, at } = usage.last_error
  return (
    <span className="trouble">
      {richText(t, '{time}, to {recipient}', {
        time: (
          <time dateTime={at}>{new Date(at).toLocaleString(t.lang, { dateStyle: 'medium', timeStyle: 'short' })}</time>
        ),
        recipient: (
          <span translate="no">
            {recipient}: {reply}
          </span>
        ),
      })}
    </span>
  )
}
