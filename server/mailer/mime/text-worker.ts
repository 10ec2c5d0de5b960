import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { parseTemplate, type TemplatePart } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryVariables } from '../../domain/messages/delivery.ts'
import { BufferPool } from '../smtp/buffer-pool.ts'
import { compileMessage, type CompiledMessage } from './mime.ts'
import { plainTextOf, textAlternativeOf } from './text-alternative.ts'
import type { BuildTask, TextTask, WorkerAnswer, WorkerTask } from './text-task.ts'
import { UnbuildableError } from './unbuildable-error.ts'

/** Entry point of the worker threads of TextPool: answers each task with one message. */

/** Each mail gets its own memory: Node's shared pool of small buffers cannot be transferred to another thread. */
const buffers = new BufferPool()
const compiled = new LRUCache<string, CompiledMessage>({ max: 4 })
// oxlint-disable-next-line sendwright/module-state -- the task of a thread, one at a time
let providedValues: BuildTask['providedValues'] = {}

function convert({ content, isPlain }: TextTask): WorkerAnswer {
  const html = parseTemplate(content)
  return { kind: 'text', textJson: JSON.stringify(isPlain ? plainTextOf(html) : textAlternativeOf(html)) }
}

function build(task: BuildTask): WorkerAnswer {
  providedValues = task.providedValues
  const { bytes } = compiledMessageOf(task).build(task.mail, new Date(task.dateMs), buffers)
  return { kind: 'built', bytes }
}

function compiledMessageOf({
  messageKey,
  message,
  textJson,
  htmlJson,
  providedValues: values,
}: BuildTask): CompiledMessage {
  const cached = compiled.get(messageKey)
  if (cached) return cached
  const variables: DeliveryVariables = Object.fromEntries(
    Object.keys(values).map((name) => [name, () => providedValues[name] ?? '']),
  )
  const newlyCompiled = compileMessage(message, variables, { text: partsOf(textJson), html: partsOf(htmlJson) })
  compiled.set(messageKey, newlyCompiled)
  return newlyCompiled
}

function partsOf(json: string | null): TemplatePart[] | undefined {
  return json === null ? undefined : (JSON.parse(json) as TemplatePart[])
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
  // The mail's memory is transferred, not copied.
  const moved = answered.kind === 'built' ? [answered.bytes.buffer as ArrayBuffer] : []
  parentPort?.postMessage(answered, moved)
})
