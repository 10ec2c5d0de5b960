import { createContext, useContext, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { pageLanguage, type Language, type Translate } from '../../lib/messages/messages.ts'
import type { MessageId } from '../../lib/messages/messages-es.ts'

/** The `t` of the tree; a class component reads it by its `contextType`. */
export const Text = createContext(pageLanguage.t)

/** Gives a tree its language; a change of the language renders the tree again. */
export function TextProvider({ language = pageLanguage, children }: { language?: Language; children: ReactNode }) {
  return <Text.Provider value={useSnapshot(language).t}>{children}</Text.Provider>
}

/** Translates messages into the language of the tree. `Id` are the ids that may be used. */
export const useText = <Id extends string = string>() => useContext(Text) as Translate<Id>

/** The same for the messages of the embedded widgets: those that every language has. */
export const useMessages = () => useContext(Text) as Translate<MessageId>
