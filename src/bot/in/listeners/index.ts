import { appMention } from "./app-mention.ts";
import { appUninstalled, tokensRevoked } from "./app-removed.ts";
import { channelShared, memberJoined } from "./audience-changed.ts";
import { channelFileListeners } from "./channel-files.ts";
import { decideCall } from "./decide-call.ts";
import { fileDeleted } from "./file-deleted.ts";
import { footnoteCommand } from "./footnote-command.ts";
import { homeOpened } from "./home-opened.ts";
import type { Listener } from "./listener.ts";
import { message } from "./message.ts";
import { regenerateTurn } from "./regenerate-turn.ts";
import { retryTurn } from "./retry-turn.ts";
import { sessionStopped } from "./session-stopped.ts";
import { messageShortcuts } from "./shortcuts.ts";
import { stopTurn } from "./stop-turn.ts";
import { surfaceListeners } from "./surface.ts";
import { templateSuggestions } from "./template-suggestions.ts";

/** Everything the bot listens to, one line each. */
export const listeners: readonly Listener[] = [
  appMention,
  message,
  sessionStopped,
  appUninstalled,
  tokensRevoked,
  memberJoined,
  channelShared,
  fileDeleted,
  ...channelFileListeners,
  stopTurn,
  retryTurn,
  regenerateTurn,
  ...decideCall,
  footnoteCommand,
  homeOpened,
  templateSuggestions,
  ...surfaceListeners,
  ...messageShortcuts,
];
