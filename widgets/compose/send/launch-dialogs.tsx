import { useSnapshot } from 'valtio'
import { useModule } from '../../kit/use-module.ts'
import { notLoaded, sendFailed } from '../../lib/compose-messages.ts'
import type { ComposeStore } from '../compose-types.ts'
import { SendQuestion } from './send-question.tsx'
import { useEffect } from 'react'

const loadCampaign = () => import('../campaign/campaign-dialog.tsx')

/** The dialog between 'Launch Message' and the launch: a question, or the settings of a campaign. */
export function LaunchDialogs({ store }: { store: ComposeStore }) {
  const { status } = useSnapshot(store.state)
  const campaign = useModule(loadCampaign, status === 'campaign')
  const isMissing = campaign.retry && status === 'campaign'
  useEffect(() => {
    if (isMissing) Object.assign(store.state, { status: 'failed', problem: { title: sendFailed, text: notLoaded } })
  }, [isMissing, store])
  if (status === 'asking') return <SendQuestion store={store} />
  if (status !== 'campaign' || !campaign.module) return null
  return <campaign.module.CampaignDialog store={store} />
}
