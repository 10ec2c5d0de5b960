import { parentPort } from 'node:worker_threads'
import { parseTemplate, type TemplatePart } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryVariables } from '../../domain/messages/delivery.ts'
import { BufferPool } from '../smtp/buffer-pool.ts'
import { compileMessage, type CompiledMessage } from './mime.ts'
import { plainTextOf, textAlternativeOf } from './text-alternative.ts'
import type { BuildTask, TextTask, WorkerAnswer, WorkerTask } from './text-task.ts'
import { UnbuildableError } from './unbuildable-error.ts'

/** The body of a thread of TextPool: one task after the other, each answered by one message. */

const keptMaxCount = 4
/** Gives each mail memory of its own: what Node shares among small buffers cannot be handed over to another thread. */
const space = new BufferPool()
const kept = new Map<string, CompiledMessage>()
let given: BuildTask['given'] = {}

function convert({ content, isPlain }: TextTask): WorkerAnswer {
  const html = parseTemplate(content)
  return { kind: 'text', textJson: JSON.stringify(isPlain ? plainTextOf(html) : textAlternativeOf(html)) }
}

function build(task: BuildTask): WorkerAnswer {
  given = task.given
  const { bytes } = templateOf(task).build(task.mail, new Date(task.dateMs), space)
  return { kind: 'built', bytes }
}

function templateOf({ messageKey, message, textJson, given: values }: BuildTask): CompiledMessage {
  const known = kept.get(messageKey)
  if (known) return known
  const variables: DeliveryVariables = Object.fromEntries(
    Object.keys(values).map((name) => [name, () => given[name] ?? '']),
  )
  const text = textJson === null ? undefined : (JSON.parse(textJson) as TemplatePart[])
  const template = compileMessage(message, variables, text)
  const [oldest] = kept.keys()
  if (kept.size >= keptMaxCount && oldest !== undefined) kept.delete(oldest)
  kept.set(messageKey, template)
  return template
}

function answer(task: WorkerTask): WorkerAnswer {
  try {
    return task.kind === 'text' ? convert(task) : build(task)
  } catch (error) {
    const refusal = error instanceof Error ? error.message : 'Unknown'
    return { kind: 'refusal', refusal, isUserFacing: error instanceof UnbuildableError }
  }
}

parentPort?.on('message', (task: WorkerTask) => {
  const answered = answer(task)
  // A mail is handed over, not copied.
  const moved = answered.kind === 'built' ? [answered.bytes.buffer as ArrayBuffer] : []
  parentPort?.postMessage(answered, moved)
})
