import { useState } from 'react'
import { createSegment } from '../../../client/audience/segment.ts'
import { saveRecipientsAsList } from '../../../client/mail/campaign.ts'
import { errorText } from '../../../client/core/http.ts'
import { listNameMaxChars } from '../../../contract/audience/list.limits.ts'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import type { queryOf } from './recipients-store.ts'

interface Props {
  campaign: Pick<Campaign, 'id' | 'name'>
  query: ReturnType<typeof queryOf>
  /** How many recipients match. */
  count: number
  /** The rule that finds the same people; null: no rule does. */
  rule: SegmentRule | null
  onClosed: () => void
}

/** Makes a fixed list of the filtered recipients, or a segment whose rule finds the same people. */
export function SaveAsListDialog({ campaign, query, count, rule, onClosed }: Props) {
  const t = useText()
  const { session, notify } = useApp()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'list' | 'segment'>('list')
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null })

  const saveList = async () => {
    const saved = await saveRecipientsAsList(session, campaign.id, { name: name.trim(), ...query })
    const left = count - saved.members
    const text = t('“{name}” has {count} person.|“{name}” has {count} people.', {
      name: saved.name,
      count: saved.members,
    })
    const rest = t('{count} recipient is not a contact.|{count} recipients are not contacts.', { count: left })
    notify({ kind: 'success', text: left > 0 ? `${text} ${rest}` : text })
  }
  const saveSegment = async (segment: SegmentRule) => {
    await createSegment(session, { name: name.trim(), rule: segment })
    notify({ kind: 'success', text: t('The segment “{name}” was created.', { name: name.trim() }) })
  }
  const save = async (close: () => void) => {
    if (state.isBusy || name.trim() === '') return
    setState({ isBusy: true, error: null })
    try {
      await (kind === 'segment' && rule !== null ? saveSegment(rule) : saveList())
      close()
    } catch (error) {
      setState({ isBusy: false, error: errorText(error) })
    }
  }

  return (
    <Dialog title={t('Save these people')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save(close)
          }}
        >
          {state.error !== null && <Banner kind="error" title={state.error} />}
          {rule !== null && (
            <Segmented
              label={t('Save as')}
              options={[
                { value: 'list', text: t('Fixed list') },
                { value: 'segment', text: t('Segment') },
              ]}
              value={kind}
              onValue={setKind}
            />
          )}
          <TextField
            label={t('Name')}
            hint={
              kind === 'list'
                ? t('The list holds the people who match now. It does not change afterwards.')
                : t('The segment finds the people who match its rule at any time.')
            }
            maxLength={listNameMaxChars}
            value={name}
            onValue={setName}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={state.isBusy} disabled={name.trim() === ''}>
              {kind === 'list' ? t('Save as list') : t('Save as segment')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
