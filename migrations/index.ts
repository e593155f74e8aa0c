import { Tenants1764500000001 } from "./0001-tenants.ts";
import { Knowledge1764500000002 } from "./0002-knowledge.ts";
import { Turns1764500000003 } from "./0003-turns.ts";
import { Traces1764500000004 } from "./0004-traces.ts";
import { ApiKeys1764500000005 } from "./0005-api-keys.ts";
import { ThreadSummaries1764500000006 } from "./0006-thread-summaries.ts";
import { Templates1764500000007 } from "./0007-templates.ts";
import { DocumentFormats1764500000008 } from "./0008-document-formats.ts";
import { FailedReadings1764500000009 } from "./0009-failed-readings.ts";
import { Stopping1764500000010 } from "./0010-stopping.ts";
import { CitedSources1764500000011 } from "./0011-cited-sources.ts";
import { Feedback1764500000012 } from "./0012-feedback.ts";
import { ExternalTools1764500000013 } from "./0013-external-tools.ts";
import { ToolApprovals1764500000014 } from "./0014-tool-approvals.ts";
import { ApprovalCards1764500000015 } from "./0015-approval-cards.ts";
import { MoreFormats1764500000016 } from "./0016-more-formats.ts";
import { Authors1764500000017 } from "./0017-authors.ts";
import { Installing1764500000020 } from "./0020-installing.ts";
import { TokenRotation1764500000021 } from "./0021-token-rotation.ts";
import { Sources1764500000022 } from "./0022-sources.ts";
import { EarlyEdits1764500000023 } from "./0023-early-edits.ts";
import { TemplateThreads1764500000025 } from "./0025-template-threads.ts";
import { PrivateAnswers1764500000027 } from "./0027-private-answers.ts";
import { SlackFiles1764500000028 } from "./0028-slack-files.ts";
import { FullTextIndex1764500000029 } from "./0029-full-text-index.ts";
import { EmbedderInUse1764500000030 } from "./0030-embedder-in-use.ts";
import { KeyAudiences1764500000032 } from "./0032-key-audiences.ts";
import { Logins1764500000033 } from "./0033-logins.ts";
import { EmbeddingModels1764500000038 } from "./0038-embedding-models.ts";
import { EditedCalls1764500000040 } from "./0040-edited-calls.ts";
import { AppRoles1764500000041 } from "./0041-app-roles.ts";
import { Sharing1764500000042 } from "./0042-sharing.ts";
import { ChannelFiles1764500000044 } from "./0044-channel-files.ts";
import { Steering1764500000045 } from "./0045-steering.ts";
import { SearchLeaves1764500000046 } from "./0046-search-leaves.ts";
import { WorkspaceServers1764500000048 } from "./0048-workspace-servers.ts";
import { Usage1764500000049 } from "./0049-usage.ts";

/** Every migration in order. One change a file, never edited after it landed. */
export const migrations = [
  Tenants1764500000001,
  Knowledge1764500000002,
  Turns1764500000003,
  Traces1764500000004,
  ApiKeys1764500000005,
  ThreadSummaries1764500000006,
  Templates1764500000007,
  DocumentFormats1764500000008,
  FailedReadings1764500000009,
  Stopping1764500000010,
  CitedSources1764500000011,
  Feedback1764500000012,
  ExternalTools1764500000013,
  ToolApprovals1764500000014,
  ApprovalCards1764500000015,
  MoreFormats1764500000016,
  Authors1764500000017,
  Installing1764500000020,
  TokenRotation1764500000021,
  Sources1764500000022,
  EarlyEdits1764500000023,
  TemplateThreads1764500000025,
  PrivateAnswers1764500000027,
  SlackFiles1764500000028,
  FullTextIndex1764500000029,
  EmbedderInUse1764500000030,
  KeyAudiences1764500000032,
  Logins1764500000033,
  EmbeddingModels1764500000038,
  EditedCalls1764500000040,
  AppRoles1764500000041,
  Sharing1764500000042,
  ChannelFiles1764500000044,
  Steering1764500000045,
  SearchLeaves1764500000046,
  WorkspaceServers1764500000048,
  Usage1764500000049,
];
