import { useEffect, useId, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '../../kit/icon/icon.tsx'
import { plus, x } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import { fromNameMaxChars } from '../../../contract/mail/send/send.limits.ts'
import type { Edited, MailFields } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { css } from './header-fields.css'
import { addressesProblem } from './mail-fields.ts'

const sheet = createSheet(css)

interface FieldRow {
  name: keyof MailFields
  label: string
  /** What it does, in a sentence below it. */
  hint: string
  isAddress?: boolean
  maxLength?: number
}

const rows: readonly FieldRow[] = [
  {
    name: 'fromName',
    label: 'From name',
    hint: 'Shown in place of the name of your mailbox.',
    maxLength: fromNameMaxChars,
  },
  { name: 'replyTo', label: 'Reply-To', hint: 'Answers go to this address.', isAddress: true },
  { name: 'cc', label: 'Cc', hint: 'Copies that all recipients see. Everyone gets the same mail.', isAddress: true },
  { name: 'bcc', label: 'Bcc', hint: 'Copies that no recipient sees. Everyone gets the same mail.', isAddress: true },
]

/** Further fields of a message: each is opened by its name and closed again when it is removed. */
export function HeaderFields({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useText()
  const { draft, edited } = useSnapshot(store.state, { sync: true })
  const [opened, setOpened] = useState<readonly (keyof MailFields)[]>([])
  const fields: MailFields = draft.fields ?? {}
  const isOpen = ({ name }: FieldRow) => Boolean(fields[name]) || opened.includes(name)
  // A campaign has no copies.
  const offered = rows.filter(({ name }) => edited?.kind !== 'campaign' || (name !== 'cc' && name !== 'bcc'))
  const closed = offered.filter((row) => !isOpen(row))
  const buttons = useRef<HTMLDivElement>(null)
  const write = (name: keyof MailFields, text: string) =>
    store.write({ fields: { ...store.state.draft.fields, [name]: text } })
  return (
    <>
      {edited && <EditedNote edited={edited} keptCount={draft.keptCount ?? 0} />}
      {offered.filter(isOpen).map((row) => (
        <Row
          key={row.name}
          row={row}
          value={fields[row.name] ?? ''}
          isFresh={opened.includes(row.name)}
          onValue={(text) => {
            if (!opened.includes(row.name)) setOpened([...opened, row.name])
            write(row.name, text)
          }}
          onRemoved={() => {
            setOpened(opened.filter((name) => name !== row.name))
            write(row.name, '')
            requestAnimationFrame(() => buttons.current?.querySelector('button')?.focus())
          }}
        />
      ))}
      {closed[0] && (
        <div className="more-fields" role="group" aria-label={t('Further fields')} ref={buttons}>
          {closed.map(({ name, label }) => (
            <button key={name} type="button" onClick={() => setOpened([...opened, name])}>
              <Icon of={plus} size={13} />
              {t(label)}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

/** What is opened again, and what it has already. */
function EditedNote({ edited: { kind, name = '', time }, keptCount }: { edited: Readonly<Edited>; keptCount: number }) {
  const t = useText()
  const at =
    time &&
    new Date(time.iso).toLocaleString(t.lang, { dateStyle: 'full', timeStyle: 'short', timeZone: time.timezone })
  return (
    <p className="edited-note" role="status">
      {kind === 'message'
        ? t('You are changing a scheduled message.')
        : t('You are changing the campaign {name}.', { name })}
      {time && at && ` ${t('It leaves {time} ({zone}).', { time: at, zone: time.timezone })}`}
      {keptCount > 0 &&
        ` ${t('It has {count} recipient; further ones are added.|It has {count} recipients; further ones are added.', { count: keptCount })}`}
    </p>
  )
}

function Row({
  row: { label, hint, isAddress = false, maxLength },
  value,
  isFresh,
  onValue,
  onRemoved,
}: {
  row: FieldRow
  value: string
  isFresh: boolean
  onValue: (text: string) => void
  onRemoved: () => void
}) {
  const t = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isLeft, setLeft] = useState(true)
  useEffect(() => {
    if (isFresh) input.current?.focus()
  }, [isFresh])
  const problem = isAddress && isLeft && value.trim() !== '' ? addressesProblem(value) : null
  return (
    <div className="row extra-field">
      <label htmlFor={id}>{t(label)}</label>
      <span className="extra-value">
        <input
          ref={input}
          id={id}
          value={value}
          autoComplete="off"
          spellCheck={!isAddress}
          maxLength={maxLength}
          aria-describedby={`${id}-note`}
          aria-invalid={problem !== null || undefined}
          {...(isAddress && { inputMode: 'email', autoCapitalize: 'off' })}
          onFocus={() => setLeft(false)}
          onBlur={() => setLeft(true)}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
        <button type="button" aria-label={t('Remove {name}', { name: t(label) })} onClick={onRemoved}>
          <Icon of={x} size={14} />
        </button>
        <small id={`${id}-note`} className={problem === null ? undefined : 'wrong'}>
          {problem ?? t(hint)}
        </small>
      </span>
    </div>
  )
}
