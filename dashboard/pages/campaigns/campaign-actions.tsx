import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import type { IconData } from '../../../widgets/kit/icon/icon.tsx'
import { circleX, pause, play, refresh, send, trash } from '../../../widgets/kit/icon/icons.ts'
import { nameOf } from './campaign-labels.ts'
import { LaunchDialog } from './launch-dialog.tsx'
import { allowedActions, type CampaignAction, type CampaignsStore } from './campaigns-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const actionLabels = {
  launch: { icon: send, text: 'Launch', label: 'Launch {name}' },
  retry: { icon: refresh, text: 'Send again', label: 'Send again to the failed of {name}' },
  pause: { icon: pause, text: 'Pause', label: 'Pause {name}' },
  resume: { icon: play, text: 'Resume', label: 'Resume {name}' },
  cancel: { icon: circleX, text: 'Cancel', label: 'Cancel {name}' },
  delete: { icon: trash, text: 'Delete', label: 'Delete {name}' },
} as const satisfies Record<CampaignAction, { icon: IconData; text: string; label: string }>

/** A button for each action that the state allows; irreversible actions require confirmation. */
export function CampaignActions({ store, campaign }: { store: CampaignsStore; campaign: Campaign }) {
  const t = useText()
  const { busyIds } = useSnapshot(store.state)
  return (
    <span className="row-actions">
      {allowedActions(campaign).map((act) => {
        const { icon, text, label } = actionLabels[act]
        const press = () =>
          act === 'launch' || act === 'cancel' || act === 'delete'
            ? store.ask({ act, campaign })
            : void store.act(act, campaign.id)
        return (
          <Button
            key={act}
            kind="quiet"
            size="small"
            icon={icon}
            aria-label={t(label, { name: nameOf(campaign) })}
            disabled={busyIds.includes(campaign.id)}
            onClick={press}
          >
            {t(text)}
          </Button>
        )
      })}
    </span>
  )
}

/** Confirms that a campaign is launched, cancelled or deleted, with the consequences. */
export function CampaignDialogs({ store }: { store: CampaignsStore }) {
  const t = useText()
  const { asked, busyIds } = useSnapshot(store.state)
  if (asked === null) return null
  const { act, campaign } = asked
  if (act === 'launch') {
    return (
      <LaunchDialog campaign={campaign} onChanged={() => void store.list.load()} onClosed={() => store.ask(null)} />
    )
  }
  const { queued, deferred } = campaign.counts
  const waiting = (queued + deferred).toLocaleString(t.lang)
  const isCancel = act === 'cancel'
  return (
    <ConfirmDialog
      title={isCancel ? t('Cancel this campaign?') : t('Delete this campaign?')}
      act={isCancel ? t('Cancel it') : t('Delete')}
      keep={isCancel ? t('Keep it') : t('Cancel')}
      busy={busyIds.includes(campaign.id)}
      onAct={() => store.act(act, campaign.id)}
      onClosed={() => store.ask(null)}
    >
      <p>
        <b>{nameOf(campaign)}</b>
      </p>
      <p>
        {isCancel
          ? t('{waiting} recipients will not receive it, and the campaign cannot be resumed.', { waiting })
          : campaign.status === 'draft'
            ? t('Its message and its recipients are deleted. Nothing was sent.')
            : t('The campaign and the delivery results of its recipients are deleted. Sent mails are not recalled.')}
      </p>
    </ConfirmDialog>
  )
}
