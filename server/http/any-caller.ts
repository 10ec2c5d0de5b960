import type { Caller, Mailbox } from '../domain/caller.ts'
import type { EmbedCaller, EmbedVisitor } from '../domain/embed.ts'
import type { HostedCaller } from '../domain/hosted.ts'

/** Whoever calls; null for nobody in particular. */
export type AnyCaller = Caller | Mailbox | HostedCaller | EmbedCaller | EmbedVisitor | null
