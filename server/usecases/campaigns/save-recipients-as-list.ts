import { AppError } from '../../../contract/core/errors.ts'
import { listsMaxCount } from '../../../contract/audience/list.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { RecipientFilter } from '../../domain/campaigns/campaign.ts'
import type { RecipientList } from '../../store/campaigns/recipient-list.ts'
import type { ListStore } from '../../store/lists/list.ts'
import type { CampaignService } from './campaign-service.ts'

interface Ports {
  findCampaign: CampaignService['findCampaign']
  recipientList: Pick<RecipientList, 'addToList'>
  lists: Pick<ListStore, 'create'>
  now: () => Date
}

/** A list of the contacts among recipients. Throws `campaign_not_found`, `list_exists` and `list_limit_reached`. */
export function createSaveRecipientsAsList({ findCampaign, recipientList, lists, now }: Ports) {
  return async (scope: Scope, campaignId: string, name: string, filter: RecipientFilter) => {
    await findCampaign(scope, campaignId)
    const at = now()
    const listId = await lists.create(scope, { name, description: '', isPublic: false, createdAt: at }, listsMaxCount)
    if (listId === 'taken') throw new AppError('list_exists')
    if (listId === 'limit') throw new AppError('list_limit_reached')
    const memberCount = await recipientList.addToList(scope, campaignId, filter, { listId, at })
    return { id: String(listId), name, memberCount }
  }
}
