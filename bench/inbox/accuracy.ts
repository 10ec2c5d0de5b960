import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BounceAction } from '../../contract/inbox/bounce-reason.ts'
import { readBounce, type BouncedRecipient } from '../../server/inbox/bounce/read-bounce.ts'
import { classifyHeaders } from '../../server/inbox/classify.ts'
import { MailHeaders } from '../../server/inbox/mime/headers.ts'
import { parseMail } from '../../server/inbox/mime/parse-mail.ts'
import type { Figure } from '../report.ts'

/**
 * One mail of `labels.json` in the folder: its file there, its mail system, and per failed recipient the classes that are right;
 * `?` where the mail itself gives none.
 */
interface Label {
  file: string
  system: string
  recipients: { address: string[]; class: (BounceAction | 'delayed' | '?')[] }[]
}

const limits = { found: 97, right: 95 }

/** Reads real bounces out of the folder of BOUNCE_FOLDER: shares of recipients found and of classes right. */
export async function measureAccuracy(): Promise<Omit<Figure, 'bench'>[]> {
  const folder = process.env['BOUNCE_FOLDER'] ?? ''
  if (folder === '') {
    console.log(
      'Accuracy on real bounces is not measured: BOUNCE_FOLDER names no folder with labels.json and its mails.',
    )
    return []
  }
  const labels = JSON.parse(await readFile(path.join(folder, 'labels.json'), 'utf8')) as Label[]
  const counts = { recipients: 0, found: 0, classes: 0, right: 0, dead: 0 }
  for (const { file, recipients } of labels) {
    const read = readMailOf(await readFile(path.join(folder, file)))
    for (const wanted of recipients) {
      const hit = read.find(({ address, originalAddress }) =>
        [address, originalAddress].some((name) => name !== null && wanted.address.includes(name)),
      )
      counts.recipients++
      if (hit !== undefined) counts.found++
      if (wanted.class.includes('?')) continue
      counts.classes++
      const given = classOf(hit)
      if (wanted.class.some((name) => name === given || (isSoft(name) && isSoft(given)))) counts.right++
      else if (given === 'dead') counts.dead++
    }
  }
  const mails = `${labels.length} real bounces of ${new Set(labels.map(({ system }) => system)).size} mail systems`
  const share = (part: number, whole: number) => (100 * part) / Math.max(1, whole)
  return [
    {
      ...{ case: `${mails}: recipient found`, value: share(counts.found, counts.recipients), unit: '%' },
      ...{ baseline: limits.found, against: 'at least' },
    },
    {
      ...{ case: 'class right', value: share(counts.right, counts.classes), unit: '%' },
      ...{ baseline: limits.right, against: 'at least' },
    },
    { case: 'taken for dead in error; none may be', value: counts.dead, unit: '', baseline: null, against: '' },
  ]
}

function readMailOf(source: Buffer): BouncedRecipient[] {
  const text = source.toString('latin1')
  const headers = new MailHeaders(text.slice(0, text.search(/\r?\n\r?\n/) + 2))
  const candidate = classifyHeaders(headers, { role: 'inbox', ownAddresses: new Set() })
  return candidate === 'bounce' ? (readBounce(parseMail(source)) ?? []) : []
}

const isSoft = (name: string) => name === 'waiting' || name === 'delayed'

function classOf(found: BouncedRecipient | undefined): string {
  if (found === undefined) return 'none'
  return found.outcome.kind === 'bounced' ? found.outcome.action : found.outcome.kind
}
