import type { ReactNode } from 'react'
import type { Contact } from '../../../contract/audience/contact.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { ColumnChoice, OwnColumn } from './columns.ts'
import { formatValue, languageName, sourceLabels } from './contact-text.ts'

/** What a contact has in a column; a dash where it has nothing. */
export function ContactCell({ contact, column: { id, field } }: { contact: Contact; column: ColumnChoice }) {
  const t = useText()
  const shown = field ? formatValue(field, contact.fields[field.key], t) : ownCells[id as OwnColumn](contact, t)
  return shown === '' ? <span className="contacts-empty">{t('Empty')}</span> : shown
}

const ownCells: Readonly<Record<OwnColumn, (contact: Contact, t: Translate<string>) => ReactNode>> = {
  added: ({ created_at: at }, t) => day(at, t),
  activity: ({ last_activity_at: at }, t) => day(at, t),
  sent: ({ last_sent_at: at }, t) => day(at, t),
  source: ({ source }, t) => t(sourceLabels[source] ?? source),
  language: ({ locale }, t) => (locale === null ? '' : languageName(locale, t.lang)),
  zone: ({ timezone }) => timezone ?? '',
}

const day = (iso: string | null, t: Translate<string>) =>
  iso === null ? (
    ''
  ) : (
    <time dateTime={iso} title={new Date(iso).toString()}>
      {new Date(iso).toLocaleDateString(t.lang, { dateStyle: 'medium' })}
    </time>
  )
