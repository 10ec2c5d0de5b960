import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { clock } from '../../kit/icon/icons.ts'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'

/** Launches for a later time, which is asked for. */
export function LaterButton({ store, isDisabled }: { store: ComposeStore; isDisabled: boolean }) {
  const t = useText()
  const { edited } = useSnapshot(store.state)
  const isCampaign = edited?.kind === 'campaign'
  // A scheduled campaign has one way to be saved.
  if (isCampaign && edited.time !== null) return null
  return (
    <Button
      {...(!isCampaign && { icon: clock })}
      disabled={isDisabled}
      data-needs="mail:send"
      onClick={() => void store.launch(true)}
    >
      {t(isCampaign ? 'Save' : edited ? 'Move' : 'Later')}
    </Button>
  )
}
