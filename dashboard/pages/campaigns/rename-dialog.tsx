import { useState } from 'react'
import { updateEmailCampaign } from '../../../client/mail/campaign.ts'
import { errorText } from '../../../client/core/http.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { campaignNameMaxChars } from '../../../contract/mail/campaign.limits.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Changes the name of a campaign, in any state. */
export function RenameDialog({
  campaign,
  onRenamed,
  onClosed,
}: {
  campaign: Pick<Campaign, 'id' | 'name'>
  onRenamed: (campaign: Campaign) => void
  onClosed: () => void
}) {
  const t = useText()
  const { session } = useApp()
  const [name, setName] = useState(campaign.name)
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null })
  const save = async (close: () => void) => {
    if (state.isBusy) return
    setState({ isBusy: true, error: null })
    try {
      onRenamed(await updateEmailCampaign(session, campaign.id, { name: name.trim() }))
      close()
    } catch (error) {
      setState({ isBusy: false, error: errorText(error) })
    }
  }
  return (
    <Dialog title={t('Rename this campaign')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save(close)
          }}
        >
          {state.error !== null && <Banner kind="error" title={state.error} />}
          <TextField
            label={t('Name')}
            hint={t('Only you see it. Without a name, lists show the subject.')}
            maxLength={campaignNameMaxChars}
            value={name}
            onValue={setName}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={state.isBusy}>
              {t('Rename')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
