import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Button } from '../../../widgets/kit/button.tsx'
import { ConfirmDialog } from '../../../widgets/kit/confirm-dialog.tsx'
import type { IconData } from '../../../widgets/kit/icon.tsx'
import { circleX, pause, play, refresh, send, trash } from '../../../widgets/kit/icons.ts'
import { nameOf } from './campaign-labels.ts'
import { LaunchDialog } from './launch-dialog.tsx'
import { allowedActions, type CampaignAction, type CampaignsStore } from './campaigns-store.ts'

interface Look {
  icon: IconData
  word: string
  /** What the button's accessible name has between the word and the campaign. */
  more?: string
}

const actionLabels = {
  launch: { icon: send, word: 'Launch' },
  retry: { icon: refresh, word: 'Send again', more: ' to the failed of' },
  pause: { icon: pause, word: 'Pause' },
  resume: { icon: play, word: 'Resume' },
  cancel: { icon: circleX, word: 'Cancel' },
  delete: { icon: trash, word: 'Delete' },
} as const satisfies Record<CampaignAction, Look>

/** What its state allows, a button each; what cannot be taken back is asked about first. */
export function CampaignActions({ store, campaign }: { store: CampaignsStore; campaign: Campaign }) {
  const { busyId } = useSnapshot(store.state)
  return (
    <span className="row-actions">
      {allowedActions(campaign).map((act) => {
        const { icon, word, more = '' }: Look = actionLabels[act]
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
            aria-label={`${word}${more} ${nameOf(campaign)}`}
            disabled={busyId === campaign.id}
            onClick={press}
          >
            {word}
          </Button>
        )
      })}
    </span>
  )
}

/** Asks before a campaign is launched, ended or forgotten, and names what it comes to. */
export function CampaignDialogs({ store }: { store: CampaignsStore }) {
  const { asked, busyId } = useSnapshot(store.state)
  if (asked === null) return null
  const { act, campaign } = asked
  if (act === 'launch') {
    return (
      <LaunchDialog campaign={campaign} onChanged={() => void store.list.load()} onClosed={() => store.ask(null)} />
    )
  }
  const { queued, deferred } = campaign.counts
  const waiting = (queued + deferred).toLocaleString()
  const isCancel = act === 'cancel'
  return (
    <ConfirmDialog
      title={isCancel ? 'Cancel this campaign?' : 'Delete this campaign?'}
      act={isCancel ? 'Cancel it' : 'Delete'}
      keep={isCancel ? 'Keep it' : 'Cancel'}
      busy={busyId !== null}
      onAct={() => store.act(act, campaign.id)}
      onClosed={() => store.ask(null)}
    >
      <p>
        <b>{nameOf(campaign)}</b>
      </p>
      <p>
        {isCancel
          ? `${waiting} recipients will not receive it, and the campaign cannot be resumed.`
          : campaign.status === 'draft'
            ? 'Its message and its recipients are deleted. Nothing was sent.'
            : 'The campaign and the delivery results of its recipients are deleted. Sent mails are not recalled.'}
      </p>
    </ConfirmDialog>
  )
}
