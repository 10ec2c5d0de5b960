/** A mail of the stand-in's mailbox. */
export interface StoredMail {
  uid: number
  source: Buffer
  flags: Set<string>
  receivedAt: Date
}

export interface StoredFolder {
  name: string
  /** As `\Junk`; null for INBOX. */
  specialUse: string | null
  uidValidity: number
  uidNext: number
  mails: StoredMail[]
}

/** Mails that each folder keeps; the oldest are dropped. */
const mailsMaxCount = 20_000

/** The folders of the stand-in, in memory. Listeners learn of new mails. */
export class MailStore {
  readonly folders = new Map<string, StoredFolder>()
  readonly #listeners = new Set<(folder: string) => void>()

  constructor(uidValidity: number, names: readonly (readonly [name: string, specialUse: string | null])[]) {
    for (const [name, specialUse] of names) {
      this.folders.set(name, { name, specialUse, uidValidity, uidNext: 1, mails: [] })
    }
  }

  append(folderName: string, source: Buffer, receivedAt: Date, flags: readonly string[] = []): StoredMail {
    const folder = this.folders.get(folderName)
    if (folder === undefined) throw new Error(`The stand-in has no folder ${folderName}.`)
    const mail = { uid: folder.uidNext, source, flags: new Set(flags), receivedAt }
    folder.uidNext += 1
    folder.mails.push(mail)
    if (folder.mails.length > mailsMaxCount) folder.mails.shift()
    for (const listener of this.#listeners) listener(folderName)
    return mail
  }

  onChange(listener: (folder: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
