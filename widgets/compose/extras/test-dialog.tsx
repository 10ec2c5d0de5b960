import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { testRecipientsMaxCount } from '../../../contract/mail/send/send.limits.ts'
import { readLines } from '../../lib/recipients.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import { Banner } from '../../kit/feedback/banner.tsx'
import { Button } from '../../kit/form/button.tsx'
import { SelectField } from '../../kit/form/select-field.tsx'
import { TextArea } from '../../kit/form/text-area.tsx'
import { Dialog, DialogActions } from '../../kit/overlay/dialog.tsx'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { lastTest, sendTestTo } from './test-to-store.ts'

/** Recipients to choose from, whose values a test shows. */
const offeredMaxCount = 200

/** Sends a test to several addresses, with the values of a chosen recipient; it begins with the choice before. */
export function TestDialog({ store, onClosed }: { store: ComposeStore; onClosed: () => void }) {
  const t = useText()
  const { draft, audience } = useSnapshot(store.state)
  const [last] = useState(lastTest)
  const [to, setTo] = useState(last.to || (store.testAddress ?? ''))
  const people = [...uniqueRecipients(draft.recipients), ...(audience?.readers ?? [])].slice(0, offeredMaxCount)
  const [as, setAs] = useState(people.some(({ text }) => text === last.as) ? last.as : (people[0]?.text ?? ''))
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({ isBusy: false, problem: null })
  const entries = readLines(to.split('\n'), false)
  const wrong = entries.find(({ problem }) => problem !== null)
  const problem = wrong
    ? `${wrong.text} ${wrong.problem}`
    : entries.length > testRecipientsMaxCount
      ? t('A test goes to {number} addresses at most.', { number: testRecipientsMaxCount })
      : null
  const send = async (close: () => void) => {
    setState({ isBusy: true, problem: null })
    const reader = people.find(({ text }) => text === as)
    const failed = await sendTestTo(store, { to, as }, { addresses: entries.map(({ text }) => text), reader })
    setState({ isBusy: false, problem: failed })
    if (failed === null) close()
  }
  return (
    <Dialog title={t('Send a test')} onClosed={onClosed}>
      {(close) => (
        <form
          className="campaign"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void send(close)
          }}
        >
          {state.problem !== null && <Banner kind="error" title={state.problem} />}
          <TextArea
            label={t('Send it to')}
            hint={t('One address a line, {number} at most.', { number: testRecipientsMaxCount })}
            problem={problem}
            rows={3}
            value={to}
            onValue={setTo}
          />
          {people.length > 0 && (
            <SelectField
              label={t('With the values of')}
              options={people.map(({ text }) => ({ value: text, text }))}
              value={as}
              onValue={setAs}
            />
          )}
          <DialogActions>
            <Button onClick={close}>{t('Back to the message')}</Button>
            <Button
              kind="primary"
              type="submit"
              busy={state.isBusy}
              disabled={entries.length === 0 || problem !== null}
            >
              {t('Send the test')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
