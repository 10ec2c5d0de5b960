import { useState } from 'react'
import { errorText } from '../../../client/core/http.ts'
import { resendEmailCampaign } from '../../../client/results/report.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { subjectMaxChars } from '../../../contract/mail/message.limits.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'

interface Props {
  campaign: Pick<Campaign, 'id' | 'subject'>
  onClosed: () => void
}

/** Makes a draft with a new subject for the recipients who did not open, and shows it. */
export function ResendDialog({ campaign: { id, subject: before }, onClosed }: Props) {
  const t = useText()
  const { session, notify } = useApp()
  const [subject, setSubject] = useState(before)
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null })
  const isReady = subject.trim() !== '' && subject.trim() !== before.trim()
  const save = async () => {
    if (state.isBusy || !isReady) return
    setState({ isBusy: true, error: null })
    try {
      const copy = await resendEmailCampaign(session, id, { to: 'not_opened', subject: subject.trim() })
      const { total: count } = copy.counts
      notify({
        kind: 'success',
        text: t(
          'The draft has {count} recipient. Launch it to send it.|The draft has {count} recipients. Launch it to send it.',
          {
            count,
          },
        ),
      })
      location.hash = copy.id
    } catch (error) {
      setState({ isBusy: false, error: errorText(error) })
    }
  }
  return (
    <Dialog title={t('Resend to those who did not open')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          {state.error !== null && <Banner kind="error" title={state.error} />}
          <p>
            {t(
              'Opens undercount people: many read a mail without an open being recorded, so some of them get it twice. People who clicked or replied are left out.',
            )}
          </p>
          <TextField
            label={t('New subject')}
            hint={
              isReady
                ? t('A draft is made. Nothing is sent before you launch it.')
                : t('Write a subject that differs from the first one.')
            }
            maxLength={subjectMaxChars}
            value={subject}
            onValue={setSubject}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={state.isBusy} disabled={!isReady}>
              {t('Make the draft')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
