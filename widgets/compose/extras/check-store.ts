import { snapshot, type Snapshot } from 'valtio/vanilla'
import { startDeliverabilityCheck, startSelfTest } from '../../../client/checks/deliverability.ts'
import { errorText } from '../../../client/core/http.ts'
import { mergeContexts, nameIn } from '../../../contract/core/variable-names.ts'
import type { DeliverabilityCheck } from '../../../contract/checks/deliverability.ts'
import { sendFailedPlain } from '../../lib/send-messages.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { ComposeState } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { kindOf } from '../send/launch-store.ts'
import { emptyVariables } from '../variables/empty-variables.ts'

/** The last check, and of what it was made; `problem`: why the last one could not be made. */
export interface CheckState {
  /** `testing` while the self-test runs. */
  status: 'idle' | 'running' | 'testing'
  check: DeliverabilityCheck | null
  /** What was checked, as JSON. */
  of: string
  problem: string | null
}

/** What is checked: the message with the values that all of its recipients have. */
export function checkRequest({ senderId, draft }: Snapshot<Pick<ComposeState, 'senderId' | 'draft'>>) {
  const { subject, messageBody: body, recipients, audience, context } = draft
  const people = uniqueRecipients(recipients)
  const isLacking = new Set(emptyVariables(draft).map(({ name }) => name))
  const values = mergeContexts(context, people[0]?.context)
  const known = Object.entries(values).filter(
    ([name, value]) => value !== '' && nameOfLacking(isLacking, name) === null,
  )
  const count = audience?.[0] ? Infinity : people.length
  const { kind = 'transactional' as const } = kindOf(draft, count)
  return { config_id: senderId, subject, body, context: Object.fromEntries(known), kind }
}

/** The spelling under which a variable lacks values; null if it does not. */
function nameOfLacking(lacking: ReadonlySet<string>, name: string): string | null {
  return nameIn(Object.fromEntries([...lacking].map((one) => [one, ''])), name) ?? null
}

/** Checks the message as it is; the result of the check before stays where that fails. */
export async function runCheck(
  { state, session, settle }: Pick<ComposeStore, 'state' | 'session' | 'settle'>,
  set: (next: (before: CheckState) => CheckState) => void,
): Promise<void> {
  settle?.()
  const request = checkRequest(snapshot(state))
  set((before) => ({ ...before, status: 'running', problem: null }))
  try {
    const check = await startDeliverabilityCheck(session, request)
    set(() => ({ status: 'idle', check, of: JSON.stringify(request), problem: null }))
  } catch (error) {
    set((before) => ({ ...before, status: 'idle', problem: errorText(error) ?? sendFailedPlain }))
  }
}

/** Sends the message from the mailbox to itself and reads it back; the result takes the place of the part. */
export async function runSelfTest(
  { state, session, settle }: Pick<ComposeStore, 'state' | 'session' | 'settle'>,
  set: (next: (before: CheckState) => CheckState) => void,
): Promise<void> {
  settle?.()
  set((before) => ({ ...before, status: 'testing', problem: null }))
  try {
    const found = await startSelfTest(session, checkRequest(snapshot(state)))
    set(({ check, ...before }) => ({
      ...before,
      status: 'idle',
      check: check && { ...check, parts: check.parts.map((one) => (one.part === found.part ? found : one)) },
    }))
  } catch (error) {
    set((before) => ({ ...before, status: 'idle', problem: errorText(error) ?? sendFailedPlain }))
  }
}

/** Shows what a finding is about: in the source where that is written, else in the preview. */
export function showPlace(root: ParentNode, place: string): void {
  for (const source of root.querySelectorAll('textarea')) {
    const at = source.value.indexOf(place)
    if (at < 0) continue
    source.focus()
    source.setSelectionRange(at, at + place.length)
    return
  }
  const isMeant = (element: Element) => element.getAttribute('src') === place || element.getAttribute('href') === place
  const found = [...root.querySelectorAll('.mail [src], .mail [href]')].find(isMeant)
  const shown = found ?? root.querySelector('.mail')
  shown?.scrollIntoView({ block: 'center' })
  if (shown instanceof HTMLElement) shown.focus()
}
