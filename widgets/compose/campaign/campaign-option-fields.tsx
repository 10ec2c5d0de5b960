import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { utmMaxChars, utmNames } from '../../../contract/results/tracking.limits.ts'
import { TextField } from '../../kit/form/text-field.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useMessages } from '../../kit/text/text.tsx'
import { css } from './campaign-option-fields.css'
import type { TermsStore } from './campaign-terms-store.ts'

const sheet = createSheet(css)

interface Props {
  store: Pick<TermsStore, 'state' | 'setOptions' | 'saveOptions'>
  /** Whether links are tracked: only these get UTM parameters. */
  isTracked: boolean
}

/** The fields of a campaign's options; each is saved when it is left. */
export function CampaignOptionFields({ store, isTracked }: Props) {
  useSheet(sheet)
  const { hasAudience } = useSnapshot(store.state)
  return (
    <>
      {isTracked && <UtmFields store={store} />}
      {hasAudience && <FrequencyExemption store={store} />}
    </>
  )
}

function UtmFields({ store }: Pick<Props, 'store'>) {
  const t = useMessages()
  const note = useId()
  const { options, campaign, status } = useSnapshot(store.state, { sync: true })
  const utm = options.utm ?? campaign?.utm ?? {}
  const isBusy = status === 'filling' || status === 'launching'
  const labels = {
    source: t('Source'),
    medium: t('Medium'),
    campaign: t('Campaign name'),
    term: t('Term'),
    content: t('Content'),
  }
  // Of the state: what was typed last may not be drawn yet.
  const write = (name: keyof typeof labels, value: string) => {
    const { options: written, campaign: known } = store.state
    const { [name]: _before, ...others } = written.utm ?? known?.utm ?? {}
    store.setOptions({ utm: value === '' ? others : { ...others, [name]: value } })
  }
  return (
    <fieldset className="campaign-utm" aria-describedby={note}>
      <legend>{t('Campaign tags in links (UTM)')}</legend>
      <p className="campaign-note" id={note}>
        {t('Added to links that have none, so that web analytics can tell which mail brought a visitor.')}
      </p>
      {utmNames.map((name) => (
        <div key={name} className={`campaign-utm-${name}`}>
          <TextField
            label={labels[name]}
            maxLength={utmMaxChars}
            autoComplete="off"
            spellCheck={false}
            disabled={isBusy}
            value={utm[name] ?? ''}
            onValue={(value) => write(name, value)}
            onBlur={({ currentTarget: { value } }) => {
              if (value.trim() !== value) write(name, value.trim())
              void store.saveOptions()
            }}
          />
        </div>
      ))}
    </fieldset>
  )
}

function FrequencyExemption({ store }: Pick<Props, 'store'>) {
  const t = useMessages()
  const note = useId()
  const { options, campaign, status } = useSnapshot(store.state)
  return (
    <div>
      <label className="campaign-choice">
        <input
          type="checkbox"
          aria-describedby={note}
          checked={options.frequency_exempt ?? campaign?.frequency_exempt ?? false}
          disabled={status === 'filling' || status === 'launching'}
          onChange={(event) => {
            store.setOptions({ frequency_exempt: event.currentTarget.checked })
            void store.saveOptions()
          }}
        />
        {t('Send also to people who asked for at most one campaign a week')}
      </label>
      <p className="campaign-note" id={note}>
        {t('Only for law and safety notices, such as changed terms or a product recall.')}
      </p>
    </div>
  )
}
