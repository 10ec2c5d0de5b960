import type { ReactNode } from 'react'
import type { ContactDetail } from '../../../contract/audience/contact.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { Time } from '../../kit/time.tsx'
import { reasonLabels } from '../suppressions/reason-labels.ts'
import { memberStateLabels, sourceLabels, statusLabels } from '../contacts/contact-text.ts'
import { StatusWord } from '../contacts/status-word.tsx'

type Detail = Pick<ContactDetail, 'status' | 'source' | 'created_at' | 'last_sent_at' | 'suppression' | 'tracking'> & {
  lists: readonly ContactDetail['lists'][number][]
  consents: readonly ContactDetail['consents'][number][]
}

interface Props {
  contact: Detail
  segments: readonly { id: string; name: string }[] | null
  onTracking: (mode: TrackingMode | null) => void
}

/** Status with its reason, lists, segments, consents, tracking and origin of a contact. */
export function ContactFacts({ contact, segments, onTracking }: Props) {
  const t = useText()
  const { status, source, created_at: created, last_sent_at: sent, lists, consents, suppression } = contact
  return (
    <>
      <Panel title={t('Status')}>
        <p>
          <StatusWord status={status} />
        </p>
        <p className="contact-note">{t(statusLabels[status].about)}</p>
        {suppression && (
          <p className="contact-note">
            {t('Reason')}: {t(reasonWord(suppression.reason))}, <Time iso={suppression.created_at} />
            {suppression.detail !== null && <span className="suppression-reply">{suppression.detail}</span>}{' '}
            <a href="/dashboard/suppressions">{t('Suppressions')}</a>
          </p>
        )}
      </Panel>
      <Panel title={t('Lists')}>
        {lists.length === 0 && <p className="contact-note">{t('On no list.')}</p>}
        <ul>
          {lists.map((list) => (
            <li key={list.id}>
              <a href={`/dashboard/contacts?list=${list.id}&member=any`}>{list.name}</a>
              <span className="contact-note">
                {t(memberStateLabels[list.state] ?? list.state)}, <Time iso={list.since} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      {segments && (
        <Panel title={t('Segments')}>
          {segments.length === 0 && <p className="contact-note">{t('In no segment.')}</p>}
          <ul>
            {segments.map(({ id, name }) => (
              <li key={id}>
                <a href={`/dashboard/segments/${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title={t('Consents')}>
        {consents.length === 0 && <p className="contact-note">{t('No consent is recorded.')}</p>}
        <ul>
          {consents.map((consent) => (
            <li key={`${consent.at} ${consent.kind}`}>
              <b>{t(sourceLabels[consent.kind] ?? consent.kind)}</b>
              <span className="contact-note">
                <Time iso={consent.at} />
              </span>
              {consent.text !== '' && <q className="contact-wording">{consent.text}</q>}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={t('Opens and clicks')}>
        <SelectField
          label={t('Recorded at most')}
          hint={t('Applies to mails that are sent from now on.')}
          value={contact.tracking ?? ''}
          options={[
            { value: '', text: t('As its mails have it') },
            { value: 'counts', text: t('Totals only') },
            { value: 'off', text: t('Nothing') },
          ]}
          onValue={(value) => onTracking(value === '' ? null : (value as TrackingMode))}
        />
      </Panel>
      <Panel title={t('Origin')}>
        <dl className="contact-origin">
          <div>
            <dt>{t('Source')}</dt>
            <dd>{t(sourceLabels[source] ?? source)}</dd>
          </div>
          <div>
            <dt>{t('Added')}</dt>
            <dd>
              <Time iso={created} />
            </dd>
          </div>
          <div>
            <dt>{t('Last mail')}</dt>
            <dd>{sent === null ? t('None yet') : <Time iso={sent} />}</dd>
          </div>
        </dl>
      </Panel>
    </>
  )
}

const reasonWord = (reason: string): string =>
  Object.entries(reasonLabels).find(([name]) => name === reason)?.[1].word ?? reason

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel contact-facts" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
