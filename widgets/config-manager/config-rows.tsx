import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Config } from '../../contract/config.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { trash } from '../kit/icons.ts'
import { Table, type Column } from '../kit/table.tsx'
import { TextField } from '../kit/text-field.tsx'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { maskSecretKey } from '../lib/mask.ts'
import { copied, notCopied } from '../lib/config-messages.ts'
import type { Notify } from '../lib/notify.ts'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { css } from './config-rows.css'

const sheet = createSheet(css)

/** From how many rows on a filter is offered, and how many rows are added at a time. */
const filterFromCount = 10
const pageCount = 100

export interface ConfigRowsProps {
  store: ConfigManagerStore
  notify: Notify
}

/** The configurations: address, provider, state, masked key, what can be done with each. */
export function ConfigRows({ store, notify }: ConfigRowsProps) {
  useSheet(sheet)
  const { list, filter } = useSnapshot(store.state, { sync: true })
  const [shownCount, setShownCount] = useState(pageCount)
  const found = list.items.filter(({ email_address }) => email_address.includes(filter.trim().toLowerCase()))
  const columns: Column<Config>[] = [
    {
      label: 'Email',
      cell: (config) => (
        <span className="mailbox">
          <b>{config.email_address}</b>
          {config.status === 'paused' && (
            <span className="paused">
              <span>Paused. {config.pause_reason}</span>
              <Button size="small" onClick={() => store.goToForm('app_password', config)}>
                Connect again
              </Button>
            </span>
          )}
        </span>
      ),
    },
    { label: 'Provider', cell: (config) => config.provider },
    { label: 'Secret key', cell: (config) => <code>{maskSecretKey(config.secret_key)}</code> },
    {
      label: 'Actions',
      align: 'end',
      cell: (config) => (
        <>
          {config.secret_key !== null && (
            <CopyButton
              text={config.secret_key}
              what={`secret key of ${config.email_address}`}
              onCopied={() => notify({ kind: 'success', text: copied })}
              onFailed={() => notify({ kind: 'error', text: notCopied })}
            />
          )}
          <Button
            kind="quiet"
            size="small"
            icon={trash}
            aria-label={`Delete ${config.email_address}`}
            title={`Delete ${config.email_address}`}
            onClick={() => store.askDelete(config)}
          />
        </>
      ),
    },
  ]
  return (
    <>
      {list.items.length > filterFromCount && (
        <div className="filter">
          <TextField
            label="Find a mailbox"
            type="search"
            value={filter}
            hint={`${found.length.toLocaleString()} of ${list.items.length.toLocaleString()}`}
            onValue={(text) => store.setFilter(text)}
          />
        </div>
      )}
      <Table label="Email Configs" columns={columns} rows={found.slice(0, shownCount)} rowKey={({ id }) => id} />
      {found.length > shownCount && (
        <div className="filter">
          <Button onClick={() => setShownCount(shownCount + pageCount)}>Show more</Button>
        </div>
      )}
    </>
  )
}
