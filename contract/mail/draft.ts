import { Type, type Static } from 'typebox'
import { draftKindMaxChars } from './template.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './draft.routes.ts'

const Version = Type.Object({
  revision: Type.Integer({ description: 'Grows with each save' }),
  content: Type.Unknown({ description: 'Any JSON, as it was saved' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** What was saved at one time. */
export type DraftVersion = Static<typeof Version>

const Draft = Type.Intersect([
  Version,
  Type.Object({
    replaced: Type.Array(Version, {
      description: 'Versions that a save replaced without having known them, the newest first; at most 3',
    }),
  }),
])
/** Unfinished text of a user. */
export type Draft = Static<typeof Draft>

const SavedDraft = Type.Object({
  revision: Type.Integer(),
  updated_at: Type.String({ description: 'ISO 8601, UTC' }),
  replaced: Type.Union([Version, Type.Null()], {
    description: 'The version that this save replaced though it was newer than base_revision; it is kept',
  }),
})
/** What a save answers. */
export type SavedDraft = Static<typeof SavedDraft>

const DraftChange = Type.Object({
  content: Type.Unknown({ description: 'Any JSON; the whole body may have 1 MB' }),
  base_revision: Type.Integer({
    minimum: 0,
    maximum: 2 ** 53 - 2,
    description: 'Revision that the content was written on; 0 where there was none',
  }),
})
export type DraftChange = Static<typeof DraftChange>

const byKind = Type.Object({
  kind: Type.String({
    pattern: '^[a-z][a-z0-9._:-]*$',
    maxLength: draftKindMaxChars,
    description: 'What is being written, such as compose; one draft of each kind for each person',
  }),
})

export const getDraft = defineOperation({
  name: 'getDraft',
  summary: 'The caller’s own draft of one kind',
  ...routeOf(routes.getDraft),
  access: 'member',
  permission: 'workspace:read',
  params: byKind,
  // No error where there is none: a browser notes each one in its console, and most visits find none.
  answers: { 200: { description: 'The draft.', body: Draft }, 204: { description: 'There is none of this kind.' } },
})

export const saveDraft = defineOperation({
  name: 'saveDraft',
  summary: 'Save a draft. The last save wins; a version unknown to the caller is kept beside it',
  ...routeOf(routes.saveDraft),
  access: 'member',
  permission: 'workspace:read',
  params: byKind,
  body: DraftChange,
  answers: { 200: { description: 'Saved.', body: SavedDraft } },
  errors: ['drafts_full'],
})

export const deleteDraft = defineOperation({
  name: 'deleteDraft',
  summary: 'Delete a draft and the version that it replaced',
  ...routeOf(routes.deleteDraft),
  access: 'member',
  permission: 'workspace:read',
  params: byKind,
  query: Type.Object({
    revision: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Forget it only if this is still its revision; a newer one stays' }),
    ),
  }),
  answers: { 204: { description: 'Forgotten, or none was there, or a newer one stays.' } },
})
