import type { Campaign } from '../../../contract/mail/campaign.ts'

/** What the home screen reads of a campaign. */
export type HomeCampaign = Readonly<
  Pick<Campaign, 'id' | 'name' | 'subject' | 'status' | 'created_at' | 'scheduled_at' | 'started_at' | 'finishes_at'>
> & { readonly counts: Readonly<Campaign['counts']>; readonly stats?: Readonly<Stats> | undefined }

type Stats = NonNullable<Campaign['stats']>

const lastCount = 5
const bestCount = 3
const draftsCount = 5
const periodMs = 30 * 86_400_000

const timeOf = ({ started_at: started, created_at: created }: HomeCampaign) => started ?? created

/** Launched campaigns: running ones first, then the newest. */
export function lastCampaigns(campaigns: readonly HomeCampaign[]): HomeCampaign[] {
  const isRunning = ({ status }: HomeCampaign) => Number(status === 'sending')
  return campaigns
    .filter(({ status }) => status !== 'draft')
    .toSorted((a, b) => isRunning(b) - isRunning(a) || timeOf(b).localeCompare(timeOf(a)))
    .slice(0, lastCount)
}

/** Campaigns of the last 30 days with an answer of people, those first that most people clicked, then opened. */
export function bestCampaigns(campaigns: readonly HomeCampaign[]): (HomeCampaign & { stats: Readonly<Stats> })[] {
  const since = Date.now() - periodMs
  return campaigns
    .flatMap((campaign) => {
      const { stats } = campaign
      const isIn = campaign.status !== 'draft' && Date.parse(timeOf(campaign)) >= since
      return isIn && stats && stats.sent > 0 && answersOf(stats) > 0 ? [{ ...campaign, stats }] : []
    })
    .toSorted((a, b) => scoreOf(b.stats) - scoreOf(a.stats))
    .slice(0, bestCount)
}

const answersOf = ({ opened, clicked, replied }: Readonly<Stats>) => opened + clicked + replied

/** A click or a reply says more than an open. */
const scoreOf = ({ opened, clicked, replied, sent }: Readonly<Stats>) =>
  (clicked + replied) / sent + opened / sent / 1000

export function draftsOf(campaigns: readonly HomeCampaign[]): HomeCampaign[] {
  return campaigns.filter(({ status }) => status === 'draft').slice(0, draftsCount)
}
