import type { Caller, Mailbox } from '../../domain/auth/caller.ts'
import type { EmbedCaller, EmbedVisitor } from '../../domain/auth/embed.ts'
import type { HostedCaller } from '../../domain/auth/hosted.ts'

/** Whoever calls; null for nobody in particular. */
export type AnyCaller = Caller | Mailbox | HostedCaller | EmbedCaller | EmbedVisitor | null
