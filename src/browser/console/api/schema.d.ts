// Generated from /openapi.json by `npm run api-types`; sources ec9859481e43b1f7cd473e98cc5b7150ad52dee17ae85d21c200f6777b709bd8

export interface paths {
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperatorAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublicAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/validate/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["validateAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startLogin"];
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["loginWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBudgets"];
        put?: never;
        post: operations["createBudget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budgets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBudget"];
        put?: never;
        post?: never;
        delete: operations["deleteBudget"];
        options?: never;
        head?: never;
        patch: operations["updateBudget"];
        trace?: never;
    };
    "/api/v1/confirmations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfirmation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/confirmations/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/confirmations/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["declineConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listErasures"];
        put?: never;
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/members/{id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memberships/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["joinMemberships"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAccounts"];
        put?: never;
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageByAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/accounts/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/api/admin/v1/accounts/{account}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAccountUsers"];
        put?: never;
        post: operations["createAccountUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/accounts/{account}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteAccountUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/accounts/{account}/users/{userId}/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signOutAccountUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/rekey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reencryptSecrets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPrivacy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updatePrivacy"];
        trace?: never;
    };
    "/api/v1/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSecondFactor"];
        put?: never;
        post: operations["enrollSecondFactor"];
        delete: operations["removeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSignInPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateSignInPolicy"];
        trace?: never;
    };
    "/api/v1/agents/{id}/faqs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["attachAgentFaq"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/faqs/{faqId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["detachAgentFaq"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/playbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["attachAgentPlaybook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/playbooks/{playbookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["detachAgentPlaybook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgentTools"];
        put: operations["putAgentTool"];
        post: operations["setAgentTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/tools/{toolName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteAgentTool"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["orderAgentAttachments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgentPrompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/prompts/{promptId}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["activateAgentPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgents"];
        put?: never;
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/v1/faqs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFaqs"];
        put?: never;
        post: operations["createFaq"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/faqs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFaq"];
        put: operations["updateFaq"];
        post?: never;
        delete: operations["deleteFaq"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/uninstall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uninstallIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMcpConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/native-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNativeTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/agents/{id}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplateCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/playbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlaybooks"];
        put?: never;
        post: operations["createPlaybook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/playbooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlaybook"];
        put: operations["updatePlaybook"];
        post?: never;
        delete: operations["deletePlaybook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTools"];
        put?: never;
        post: operations["createTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTool"];
        put: operations["updateTool"];
        post?: never;
        delete: operations["deleteTool"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listToolRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaigns"];
        put?: never;
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignContacts"];
        put?: never;
        post: operations["addCampaignContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/api/v1/campaigns/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["correctCampaignContact"];
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts/{contactId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelCampaignContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/redial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["redialCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cloneCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countCampaignOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamCampaignEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/events/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createCampaignEventsTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamCampaignEventsByTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportCampaignContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/rejects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportCampaignRejects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportCampaignDuplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportCampaignHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createAgentSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtime/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRuntimeSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtime/v1/session/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reportRuntimeEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtime/v1/session/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["useRuntimeTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtime/v1/session/hangup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["hangUpRuntimeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtime/v1/session/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["transferRuntimeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWidgetKeys"];
        put?: never;
        post: operations["createWidgetKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget-keys/{id}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["revealWidgetKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteWidgetKey"];
        options?: never;
        head?: never;
        patch: operations["updateWidgetKey"];
        trace?: never;
    };
    "/api/v1/widget-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWidgetSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateWidgetSettings"];
        trace?: never;
    };
    "/api/v1/agents/{id}/widget-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentWidgetSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateAgentWidgetSettings"];
        trace?: never;
    };
    "/api/v1/widget/auth/guest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createGuestSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/auth/user-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createVisitorToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/auth/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exchangeVisitorToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refreshVisitorSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/auth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["introspectVisitorSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWidgetConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/call-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCallLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/call-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCallSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateCallSettings"];
        trace?: never;
    };
    "/api/v1/calls/originate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["originateCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCallStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/hangup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["hangUpCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telephony/webhooks/{provider}/{account}/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveCallWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/do-not-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDoNotCall"];
        put?: never;
        post: operations["addDoNotCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/do-not-call/{e164}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeDoNotCall"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telephony/inbound/{provider}/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["answerInboundCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["callSandboxNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recordings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRecording"];
        put?: never;
        post?: never;
        delete: operations["deleteRecording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recordings/{id}/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRecordingUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{account}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["playRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/telephony/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPhoneNumbers"];
        put?: never;
        post: operations["createPhoneNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/telephony/numbers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPhoneNumber"];
        put?: never;
        post?: never;
        delete: operations["deletePhoneNumber"];
        options?: never;
        head?: never;
        patch: operations["updatePhoneNumber"];
        trace?: never;
    };
    "/api/v1/telephony/numbers/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkPhoneNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/telephony/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTelephonyProviders"];
        put?: never;
        post: operations["createTelephonyProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/telephony/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteTelephonyProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/telephony/providers/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyTelephonyProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/telephony/providers/{id}/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["listCarrierNumbers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConversationTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamConversationEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createEventsTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEventsByTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updatePrices"];
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendFailedWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "call.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCallStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCallAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCallEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onConversationStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onConversationEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recording.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onRecordingReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "opt_out.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOptOutAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tool_run.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onToolRunFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.warned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onBudgetWarned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onBudgetReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.missed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWebhookMissed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        EventCallStarted: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "call.started";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                call_id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                /** @enum {string} */
                status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                campaign_id: string | null;
                /** Format: uuid */
                contact_id: string | null;
                from_number: string;
                to_number: string;
                /** Format: uuid */
                conversation_id: string | null;
                /** @enum {string|null} */
                end_reason: "answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "hangup" | "do_not_call" | "caller_limit" | "budget" | "no_final_event" | "unknown" | null;
                duration_ms: number | null;
                url: string;
            };
        };
        EventCallAnswered: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "call.answered";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                call_id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                /** @enum {string} */
                status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                campaign_id: string | null;
                /** Format: uuid */
                contact_id: string | null;
                from_number: string;
                to_number: string;
                /** Format: uuid */
                conversation_id: string | null;
                /** @enum {string|null} */
                end_reason: "answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "hangup" | "do_not_call" | "caller_limit" | "budget" | "no_final_event" | "unknown" | null;
                duration_ms: number | null;
                url: string;
            };
        };
        EventCallEnded: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "call.ended";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                call_id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                /** @enum {string} */
                status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                campaign_id: string | null;
                /** Format: uuid */
                contact_id: string | null;
                from_number: string;
                to_number: string;
                /** Format: uuid */
                conversation_id: string | null;
                /** @enum {string|null} */
                end_reason: "answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "hangup" | "do_not_call" | "caller_limit" | "budget" | "no_final_event" | "unknown" | null;
                duration_ms: number | null;
                url: string;
            };
        };
        EventConversationStarted: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.started";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                conversation_id: string;
                /** @enum {string} */
                kind: "call" | "widget" | "test";
                /** @enum {string} */
                status: "live" | "ended";
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                call_id: string | null;
                /** Format: uuid */
                campaign_id: string | null;
                /** Format: uuid */
                contact_id: string | null;
                /** @enum {string|null} */
                visitor_type: "guest" | "user" | null;
                end_reason: string | null;
                disposition: string | null;
                turn_count: number;
                tool_call_count: number;
                duration_ms: number | null;
                url: string;
            };
        };
        EventConversationEnded: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.ended";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                conversation_id: string;
                /** @enum {string} */
                kind: "call" | "widget" | "test";
                /** @enum {string} */
                status: "live" | "ended";
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                call_id: string | null;
                /** Format: uuid */
                campaign_id: string | null;
                /** Format: uuid */
                contact_id: string | null;
                /** @enum {string|null} */
                visitor_type: "guest" | "user" | null;
                end_reason: string | null;
                disposition: string | null;
                turn_count: number;
                tool_call_count: number;
                duration_ms: number | null;
                url: string;
                transcript_url?: string | null;
            };
        };
        EventRecordingReady: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "recording.ready";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                recording_id: string;
                /** Format: uuid */
                call_id: string;
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                campaign_id: string | null;
                duration_ms: number | null;
                size_bytes: number;
                content_type: string;
                url: string;
            };
        };
        EventCampaignStarted: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.started";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                name: string;
                /** @enum {string} */
                status: "draft" | "running" | "paused" | "stopped" | "completed";
                status_reason: string | null;
                /** Format: uuid */
                agent_id: string | null;
                total_contacts: number;
                counts: {
                    [key: string]: number;
                };
                url: string;
            };
        };
        EventCampaignPaused: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.paused";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                name: string;
                /** @enum {string} */
                status: "draft" | "running" | "paused" | "stopped" | "completed";
                status_reason: string | null;
                /** Format: uuid */
                agent_id: string | null;
                total_contacts: number;
                counts: {
                    [key: string]: number;
                };
                url: string;
            };
        };
        EventCampaignResumed: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.resumed";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                name: string;
                /** @enum {string} */
                status: "draft" | "running" | "paused" | "stopped" | "completed";
                status_reason: string | null;
                /** Format: uuid */
                agent_id: string | null;
                total_contacts: number;
                counts: {
                    [key: string]: number;
                };
                url: string;
            };
        };
        EventCampaignStopped: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.stopped";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                name: string;
                /** @enum {string} */
                status: "draft" | "running" | "paused" | "stopped" | "completed";
                status_reason: string | null;
                /** Format: uuid */
                agent_id: string | null;
                total_contacts: number;
                counts: {
                    [key: string]: number;
                };
                url: string;
            };
        };
        EventCampaignCompleted: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.completed";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                name: string;
                /** @enum {string} */
                status: "draft" | "running" | "paused" | "stopped" | "completed";
                status_reason: string | null;
                /** Format: uuid */
                agent_id: string | null;
                total_contacts: number;
                counts: {
                    [key: string]: number;
                };
                url: string;
            };
        };
        EventContactCompleted: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.completed";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                /** Format: uuid */
                contact_id: string;
                /** Format: uuid */
                agent_id: string | null;
                phone_number: string;
                /** @enum {string} */
                status: "completed" | "failed";
                outcome: string | null;
                reason: string | null;
                attempt_count: number;
                /** Format: uuid */
                call_id: string | null;
                url: string;
            };
        };
        EventContactFailed: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.failed";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                campaign_id: string;
                /** Format: uuid */
                contact_id: string;
                /** Format: uuid */
                agent_id: string | null;
                phone_number: string;
                /** @enum {string} */
                status: "completed" | "failed";
                outcome: string | null;
                reason: string | null;
                attempt_count: number;
                /** Format: uuid */
                call_id: string | null;
                url: string;
            };
        };
        EventOptOutAdded: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opt_out.added";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                phone_number: string;
                reason: string | null;
                /** Format: uuid */
                conversation_id: string | null;
                /** Format: uuid */
                agent_id?: string | null;
                url: string;
            };
        };
        EventToolRunFailed: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_run.failed";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                run_id: string;
                tool_name: string;
                /** Format: uuid */
                conversation_id: string | null;
                /** Format: uuid */
                agent_id?: string | null;
                status: number | null;
                duration_ms: number;
                url: string;
            };
        };
        EventBudgetWarned: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.warned";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                budget_id: string;
                /** @enum {string} */
                scope: "account" | "agent" | "campaign" | "api_key";
                /** Format: uuid */
                scope_id: string | null;
                /** @enum {string} */
                period: "day" | "month";
                /** @enum {string} */
                unit: "tokens" | "call_minutes" | "usd_micros";
                limit: number;
                used: number;
                share: number;
                /** Format: date-time */
                resets_at: string;
                url: string;
            };
        };
        EventBudgetReached: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.reached";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                budget_id: string;
                /** @enum {string} */
                scope: "account" | "agent" | "campaign" | "api_key";
                /** Format: uuid */
                scope_id: string | null;
                /** @enum {string} */
                period: "day" | "month";
                /** @enum {string} */
                unit: "tokens" | "call_minutes" | "usd_micros";
                limit: number;
                used: number;
                share: number;
                /** Format: date-time */
                resets_at: string;
                url: string;
            };
        };
        EventWebhookDisabled: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.disabled";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                webhook_id: string;
                host: string;
                /** @enum {string} */
                reason: "gone" | "failing";
                /** Format: date-time */
                failing_since: string | null;
                url: string;
            };
        };
        EventWebhookMissed: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.missed";
            /** Format: date-time */
            at: string;
            sequence: number;
            data: {
                /** Format: uuid */
                webhook_id: string;
                host: string;
                missed: number;
                url: string;
            };
        };
        ErrorMessage: string;
        Problem: {
            type: string;
            title: string;
            status: number;
            code: string;
            instance: string;
            errors?: {
                field: string;
                code: string;
                message: string;
            }[];
            by?: string | null;
            at?: string | null;
        };
        Check: {
            ok: boolean;
            ms: number;
        };
        AccountCaps: {
            concurrent_calls: number;
            calls_per_minute: number;
            calls_per_day: number;
        };
        CapOverrides: {
            concurrent_calls?: number;
            calls_per_minute?: number;
            calls_per_day?: number;
        };
        CapChanges: {
            concurrent_calls?: number | null;
            calls_per_minute?: number | null;
            calls_per_day?: number | null;
        };
        AccountQuotas: {
            agents: number;
            tools: number;
            playbooks: number;
            faqs: number;
            api_keys: number;
            widget_keys: number;
            credentials: number;
            numbers: number;
            budgets: number;
            webhooks: number;
            open_campaigns: number;
            event_streams: number;
            uploads: number;
            conversations: number;
        };
        QuotaOverrides: {
            agents?: number;
            tools?: number;
            playbooks?: number;
            faqs?: number;
            api_keys?: number;
            widget_keys?: number;
            credentials?: number;
            numbers?: number;
            budgets?: number;
            webhooks?: number;
            open_campaigns?: number;
            event_streams?: number;
            uploads?: number;
            conversations?: number;
        };
        QuotaChanges: {
            agents?: number | null;
            tools?: number | null;
            playbooks?: number | null;
            faqs?: number | null;
            api_keys?: number | null;
            widget_keys?: number | null;
            credentials?: number | null;
            numbers?: number | null;
            budgets?: number | null;
            webhooks?: number | null;
            open_campaigns?: number | null;
            event_streams?: number | null;
            uploads?: number | null;
            conversations?: number | null;
        };
        AccountDay: {
            /** Format: date */
            day: string;
            calls: number;
            answered: number;
            minutes: number;
            conversations: number;
            input_tokens: number;
            output_tokens: number;
            tool_runs: number;
        };
        QuotaUse: {
            limit: number;
            used: number;
        };
        CallingWindow: {
            days: number[];
            start: string;
            end: string;
        };
        CampaignCounts: {
            pending: number;
            originated: number;
            connected: number;
            completed: number;
            failed: number;
            cancelled: number;
        };
        /** @enum {string} */
        EndReason: "answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "hangup" | "do_not_call" | "caller_limit" | "budget" | "no_final_event" | "unknown";
        CallsByEndReason: {
            answered: number;
            busy: number;
            no_answer: number;
            failed: number;
            rejected: number;
            machine: number;
            canceled: number;
            hangup: number;
            do_not_call: number;
            caller_limit: number;
            budget: number;
            no_final_event: number;
            unknown: number;
        };
        CallStatisticsTotals: {
            calls: number;
            running: number;
            answered: number;
            end_reasons: components["schemas"]["CallsByEndReason"];
            talk_s: number;
            answer_rate: number | null;
        };
        LastNumberCheck: {
            /** Format: date-time */
            at: string;
            ok: boolean;
            failed: ("owned" | "webhook_reachable" | "inbound_address" | "runtime_reachable")[];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            last8: string;
            scopes: ("read" | "listen" | "build" | "connect" | "dial" | "manage" | "runtime")[];
            scopes_named: boolean;
            unattended: boolean;
            agent_ids: string[] | null;
            allowed_addresses: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            disabled_at: string | null;
        };
        CreatedApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            key: string | null;
            last8: string;
            scopes: ("read" | "listen" | "build" | "connect" | "dial" | "manage" | "runtime")[];
            scopes_named: boolean;
            unattended: boolean;
            agent_ids: string[] | null;
            allowed_addresses: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            actor: string;
            actor_name: string | null;
            action: string;
            resource: string;
            resource_id: string;
            resource_name: string | null;
            request_id: string;
            changes: {
                [key: string]: {
                    from?: unknown;
                    to?: unknown;
                } | null;
            } | null;
        };
        OperatorAuditEntry: components["schemas"]["AuditEntry"] & {
            account: string | null;
        };
        AccountChoice: {
            name: string;
            display_name: string;
        };
        Session: {
            access_token: string;
            refresh_token: string | null;
            /** @enum {string} */
            token_type: "Bearer";
            expires_in: number;
            account: string;
            accounts: components["schemas"]["AccountChoice"][];
            user: {
                id: string;
                email: string;
                name: string;
            };
        };
        CurrentSession: {
            account: string;
            user_id: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
            scopes: ("read" | "listen" | "build" | "connect" | "dial" | "manage" | "runtime")[];
        };
        OwnSession: {
            /** Format: uuid */
            id: string;
            device: string;
            address: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_seen_at: string;
            current: boolean;
        };
        Budget: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "account" | "agent" | "campaign" | "api_key";
            /** Format: uuid */
            scope_id: string | null;
            /** @enum {string} */
            period: "day" | "month";
            /** @enum {string} */
            unit: "tokens" | "call_minutes" | "usd_micros";
            limit: number;
            warn_at: number[];
            /** @enum {string} */
            action: "warn" | "stop_new" | "end";
            used: number;
            /** Format: date-time */
            resets_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Confirmation: {
            /** Format: uuid */
            id: string;
            tool: string;
            /** @enum {string} */
            scope: "read" | "listen" | "build" | "connect" | "dial" | "manage" | "runtime";
            summary: string;
            effect: components["schemas"]["ConfirmationEffect"];
            key: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @enum {string} */
            status: "pending" | "approved" | "declined" | "taken" | "expired";
            /** Format: date-time */
            expires_at: string;
        };
        ConfirmationEffect: {
            to_numbers: string[];
            count: number;
            details: {
                [key: string]: string | number | boolean | null;
            };
        };
        Erasure: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "pending" | "complete";
            /** @enum {string} */
            subject: "phone_number" | "visitor_id" | "conversation_id";
            hint: string | null;
            counts: {
                calls: number;
                conversations: number;
                recordings: number;
                carrier_recordings: number;
                carrier_recordings_kept: number;
                tool_runs: number;
                contacts: number;
                contact_attempts: number;
                history_entries: number;
                import_rows: number;
                opt_outs: number;
                mentions: number;
                events: number;
                audit_entries: number;
                other_records: number;
            };
            kept_by_restore: {
                /** @enum {string} */
                what: "database" | "objects";
                days: number;
                /** Format: date-time */
                until: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
        Index: {
            name: string;
            version: string;
            links: {
                console: string;
                docs: string;
                guides: string;
                openapi: string;
                api: string;
                widget: string;
                health: string;
                ready: string;
            };
        };
        Readiness: {
            d1: components["schemas"]["Check"];
            gate: components["schemas"]["Check"];
            encryption: components["schemas"]["Check"];
            signing: components["schemas"]["Check"];
            runtime: components["schemas"]["Check"];
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        SentInvitation: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
            /** Format: date-time */
            expires_at: string;
            url: string | null;
            mailed: boolean;
        };
        OpenInvitation: {
            account: string;
            account_name: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
        };
        Member: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
            /** @enum {string} */
            source: "password" | "oidc";
            second_factor: boolean;
            /** Format: date-time */
            last_seen_at: string | null;
        };
        ResetLink: {
            url: string | null;
            /** Format: date-time */
            expires_at: string;
            mailed: boolean;
        };
        Plan: {
            /** @enum {string} */
            name: "starter" | "growth" | "scale";
            caps: components["schemas"]["AccountCaps"];
            quotas: components["schemas"]["AccountQuotas"];
        };
        Account: {
            name: string;
            display_name: string;
            /** @enum {string} */
            plan: "starter" | "growth" | "scale";
            caps: components["schemas"]["AccountCaps"];
            caps_overrides: components["schemas"]["CapOverrides"];
            quotas: components["schemas"]["AccountQuotas"];
            quotas_overrides: components["schemas"]["QuotaOverrides"];
            max_key_expiry_days: number | null;
            recording_retention_days: number;
            listed: boolean;
            disabled: boolean;
            /** Format: date-time */
            sessions_valid_after: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccountUsage: {
            account: string;
            calls: number;
            answered: number;
            conversations: number;
            minutes: number;
            input_tokens: number;
            cached_tokens: number;
            output_tokens: number;
            speech_chars: number;
            carrier_s: number;
            tool_runs: number;
            cost: number;
            cost_incomplete: number;
        };
        AccountDetail: components["schemas"]["Account"] & {
            days: components["schemas"]["AccountDay"][];
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
            /** @enum {string} */
            source: "password" | "oidc";
            /** Format: date-time */
            created_at: string;
        };
        Privacy: {
            conversations_days: number | null;
            recordings_days: number | null;
            calls_days: number | null;
            events_days: number | null;
            audit_days: number | null;
        };
        Quotas: {
            /** @enum {string} */
            plan: "starter" | "growth" | "scale";
            quotas: {
                agents: components["schemas"]["QuotaUse"];
                tools: components["schemas"]["QuotaUse"];
                playbooks: components["schemas"]["QuotaUse"];
                faqs: components["schemas"]["QuotaUse"];
                api_keys: components["schemas"]["QuotaUse"];
                widget_keys: components["schemas"]["QuotaUse"];
                credentials: components["schemas"]["QuotaUse"];
                numbers: components["schemas"]["QuotaUse"];
                budgets: components["schemas"]["QuotaUse"];
                webhooks: components["schemas"]["QuotaUse"];
                open_campaigns: components["schemas"]["QuotaUse"];
                event_streams: components["schemas"]["QuotaUse"];
                uploads: components["schemas"]["QuotaUse"];
                conversations: components["schemas"]["QuotaUse"];
            };
        };
        SignInPolicy: {
            require_second_factor: boolean;
            session_hours: number;
            idle_minutes: number;
        };
        Agent: {
            name: string;
            description: string;
            /** @enum {string} */
            category: "customer_support" | "sales" | "operations" | "custom";
            /** @enum {string} */
            status: "draft" | "active" | "archived";
            /** @enum {string} */
            llm_model: "gpt-4o" | "gpt-4o-mini" | "claude-3-5-sonnet";
            /** @enum {string} */
            voice_provider: "cartesia" | "elevenlabs" | "deepgram";
            voice_id: string;
            system_prompt: string;
            greeting_message: string;
            /** @enum {string} */
            greeting_mode: "interruptible" | "locked";
            /** @enum {string} */
            auth_mode: "public" | "authenticated";
            background_audio_enabled: boolean;
            background_audio_volume: number;
            noise_suppression_enabled: boolean;
            ringing_enabled: boolean;
            transfer_targets: components["schemas"]["TransferTarget"][];
            max_output_tokens: number;
            /** @enum {string} */
            storage: "all" | "redacted" | "metadata";
            redact: ("card" | "iban" | "email" | "phone" | "ssn")[];
            template_id: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            active_prompt_id: string | null;
            faqs: components["schemas"]["AgentFAQ"][];
            playbooks: components["schemas"]["AgentPlaybook"][];
            tools: components["schemas"]["AgentToolState"][];
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TransferTarget: {
            label: string;
            number: string;
        };
        AgentFAQ: {
            /** Format: uuid */
            id: string;
            name: string;
            title: string;
            summary: string;
            content: string;
            category: string;
        };
        AgentPlaybook: {
            /** Format: uuid */
            id: string;
            name: string;
            display_name: string;
            description: string;
            category: string;
            tool_names: string[];
        };
        AgentToolState: {
            tool_name: string;
            display_name: string;
            enabled: boolean;
            ready: boolean;
            reason: string | null;
        };
        AgentTool: {
            /** Format: uuid */
            agent_id: string;
            tool_name: string;
            enabled: boolean;
            config: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            ready: boolean;
            reason: string | null;
        };
        AgentToolRequest: {
            tool_name: string;
            enabled?: boolean;
            config?: {
                [key: string]: unknown;
            };
        };
        AgentOrder: {
            tools?: string[];
            playbooks?: string[];
            faqs?: string[];
        };
        AgentPrompt: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agent_id: string;
            version: number;
            system_prompt: string;
            active: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        Faq: {
            name: string;
            title: string;
            summary: string;
            content: string;
            category: string;
            tags: string[];
            /** Format: uuid */
            id: string;
            is_default: boolean;
            modified_from_default: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DeletedItem: {
            /** Format: uuid */
            id: string;
            /** @enum {boolean} */
            deleted: true;
        };
        Integration: {
            /** Format: uuid */
            id: string;
            name: string;
            display_name: string;
            description: string;
            category: string;
            /** @enum {string} */
            status: "installed" | "available";
            /** Format: date-time */
            installed_at: string | null;
            params: {
                [key: string]: unknown;
            };
            secret_names: string[];
            /** @enum {string} */
            auth: "token" | "oauth" | "signature";
            hosts: string[];
            asks_for: {
                params: components["schemas"]["IntegrationField"][];
                secrets: components["schemas"]["IntegrationField"][];
            };
            any_secrets: boolean;
            ready: boolean;
            missing: string[];
            reason: string | null;
        };
        IntegrationField: {
            name: string;
            label: string;
            required: boolean;
            description: string;
            decides_host: boolean;
        };
        Verification: {
            ok: boolean;
            detail: string;
        };
        ReservedList: unknown[];
        AgentTemplate: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agent_id: string;
            author: string;
            category: string;
            /** Format: date-time */
            created_at: string;
            description: string;
            greeting_message: string;
            icon: string;
            kb_count: number;
            knowledge_items: {
                /** Format: uuid */
                id: string;
                item_type: string;
                summary: string;
                tags: string[];
                title: string;
            }[];
            llm_model: string;
            name: string;
            playbooks: {
                description: string;
                display_name: string;
                name: string;
                /** Format: uuid */
                playbook_id: string;
                tool_names: string[];
                triggers: string[];
            }[];
            system_prompt: string;
            tags: string[];
            tool_count: number;
            tools: {
                category: string;
                description: string;
                /** Format: uuid */
                id: string;
                name: string;
            }[];
            version: string;
            voice_id: string;
            voice_provider: string;
        };
        LanguageModel: {
            /** @enum {string} */
            llm_model: "gpt-4o" | "gpt-4o-mini" | "claude-3-5-sonnet";
            /** @enum {string} */
            answers_with: "openai" | "anthropic" | "compatible" | "own_runtime" | "scripted";
        };
        Playbook: {
            name: string;
            display_name: string;
            description: string;
            category: string;
            tags: string[];
            tool_names: string[];
            triggers: string[];
            content: string;
            /** Format: uuid */
            id: string;
            is_default: boolean;
            modified_from_default: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Tool: {
            name: string;
            display_name: string;
            description: string;
            category: string;
            /** @enum {string} */
            implementation_type: "python" | "http";
            implementation_code: string;
            implementation_config: {
                [key: string]: unknown;
            };
            schema: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            effect: "read" | "write";
            max_runs: number | null;
            bind: {
                [key: string]: string | {
                    from: string;
                    unverified: boolean;
                };
            };
            tags: string[];
            /** Format: uuid */
            id: string;
            is_default: boolean;
            modified_from_default: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ToolRunResult: {
            ok: boolean;
            request: {
                method: string;
                url: string;
                headers: {
                    [key: string]: string;
                };
                body?: unknown;
            } | null;
            response: {
                status: number;
                body?: unknown;
            } | null;
            result?: unknown;
            duration_ms: number;
            error: string | null;
        };
        ToolRun: {
            id: string;
            /** Format: date-time */
            at: string;
            conversation_id: string | null;
            ok: boolean;
            status: number | null;
            duration_ms: number;
            error: string | null;
        };
        Campaign: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "running" | "paused" | "stopped" | "completed";
            status_reason: string | null;
            agent_id: string | null;
            from_number: string | null;
            total_contacts: number;
            counts: components["schemas"]["CampaignCounts"];
            import: {
                accepted: number;
                rejected: number;
                duplicates: number;
                assumed?: {
                    country: string;
                    count: number;
                    also_valid: number;
                    examples: {
                        written: string;
                        phone_number: string;
                        could_be: string | null;
                    }[];
                }[];
            };
            /** Format: date-time */
            scheduled_at: string | null;
            timezone: string;
            schedule_config: components["schemas"]["CallingWindow"][] | null;
            max_concurrency: number | null;
            calls_per_minute: number | null;
            retry_config: {
                max_attempts: number;
                retry_interval_minutes: number;
                intervals_minutes?: number[];
                retry_on: string[];
            };
            /** @enum {string} */
            voicemail?: "hang_up" | "leave_message" | "continue" | "off" | "retry";
            record?: boolean | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        Contact: {
            /** Format: uuid */
            id: string;
            position: number;
            phone_number: string;
            timezone: string | null;
            /** @enum {string} */
            status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            outcome: string | null;
            failure_reason: string | null;
            attempt_count: number;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: uuid */
            call_id: string | null;
            /** Format: uuid */
            conversation_id: string | null;
            disposition: string | null;
            variables: {
                [key: string]: string;
            } | null;
            /** Format: date-time */
            updated_at: string;
        };
        CampaignRedial: {
            contacts: number;
        };
        CampaignPlan: {
            /** @enum {string} */
            status: "draft" | "running" | "paused" | "stopped" | "completed";
            /** Format: date-time */
            finishes_at: string | null;
            /** Format: date-time */
            next_dial_at: string | null;
            waiting: {
                schedule: number;
                window: number;
                retry: number;
                cap: number;
                do_not_call: number;
                ready: number;
            };
            assumptions: {
                call_seconds: number;
                concurrent_calls: number;
                calls_per_minute: number;
                calls_per_day: number;
            };
            timezones: {
                timezone: string | null;
                contacts: number;
                /** @enum {string} */
                source: "campaign" | "contact" | "others";
            }[];
            warnings: {
                /** @enum {string} */
                code: "incomplete" | "agent_archived" | "agent_draft" | "no_runtime" | "no_model" | "no_timezone" | "missing_variables" | "long_values" | "destination_not_allowed" | "caps";
                message: string;
            }[];
            samples: {
                /** Format: uuid */
                contact_id: string;
                phone_number: string;
                timezone: string;
                greeting: string | null;
                missing_variables: string[];
            }[];
        };
        CampaignEvent: components["schemas"]["CampaignSnapshotEvent"] | components["schemas"]["ContactPendingEvent"] | components["schemas"]["ContactOriginatedEvent"] | components["schemas"]["ContactConnectedEvent"] | components["schemas"]["ContactCompletedEvent"] | components["schemas"]["ContactFailedEvent"] | components["schemas"]["ContactCancelledEvent"] | components["schemas"]["CampaignChangedEvent"];
        CampaignSnapshotEvent: components["schemas"]["Campaign"] & {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
        };
        ContactPendingEvent: {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            /** Format: uuid */
            contact_id: string;
            position: number;
            phone_number: string;
            /** @enum {string} */
            status: "pending";
            /** @enum {string} */
            previous_status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            attempt: number | null;
            /** Format: uuid */
            call_id: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        ContactOriginatedEvent: {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            /** Format: uuid */
            contact_id: string;
            position: number;
            phone_number: string;
            /** @enum {string} */
            status: "originated";
            /** @enum {string} */
            previous_status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            attempt: number | null;
            /** Format: uuid */
            call_id: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        ContactConnectedEvent: {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            /** Format: uuid */
            contact_id: string;
            position: number;
            phone_number: string;
            /** @enum {string} */
            status: "connected";
            /** @enum {string} */
            previous_status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            attempt: number | null;
            /** Format: uuid */
            call_id: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        ContactCompletedEvent: {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            /** Format: uuid */
            contact_id: string;
            position: number;
            phone_number: string;
            /** @enum {string} */
            status: "completed";
            /** @enum {string} */
            previous_status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            attempt: number | null;
            /** Format: uuid */
            call_id: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        ContactFailedEvent: {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            /** Format: uuid */
            contact_id: string;
            position: number;
            phone_number: string;
            /** @enum {string} */
            status: "failed";
            /** @enum {string} */
            previous_status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            attempt: number | null;
            /** Format: uuid */
            call_id: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        ContactCancelledEvent: {
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            /** Format: uuid */
            contact_id: string;
            position: number;
            phone_number: string;
            /** @enum {string} */
            status: "cancelled";
            /** @enum {string} */
            previous_status: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
            attempt: number | null;
            /** Format: uuid */
            call_id: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        CampaignChangedEvent: {
            /** @enum {string} */
            status: "draft" | "running" | "paused" | "stopped" | "completed";
            counts: components["schemas"]["CampaignCounts"];
            seq: number;
            /** Format: uuid */
            campaign_id: string;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        AgentSession: {
            access_token: string | null;
            /** @enum {string} */
            token_type: "Bearer";
            expires_in: number;
            runtime_url: string | null;
            /** Format: uuid */
            agent_id: string;
            /** Format: uuid */
            conversation_id: string;
        };
        RuntimeSession: {
            /** Format: uuid */
            session_id: string;
            /** @enum {string} */
            kind: "call" | "widget" | "test";
            account: string;
            /** Format: date-time */
            expires_at: string;
            call: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                direction: "outbound" | "inbound";
                from_number: string;
                to_number: string;
                provider: string;
                /** Format: uuid */
                campaign_id: string | null;
                /** Format: uuid */
                contact_id: string | null;
            } | null;
            visitor: {
                id: string;
                /** @enum {string} */
                type: "guest" | "user";
            } | null;
            agent: {
                id: string;
                name: string;
                llm_model: string;
                voice_provider: string;
                voice_id: string;
                system_prompt: string;
                greeting_message: string;
                /** @enum {string} */
                greeting_mode: "interruptible" | "locked";
                background_audio_enabled: boolean;
                background_audio_volume: number;
                noise_suppression_enabled: boolean;
                ringing_enabled: boolean;
                transfer_targets: components["schemas"]["TransferTarget"][];
                max_output_tokens?: number;
                /** @enum {string} */
                storage: "all" | "redacted" | "metadata";
                redact: ("card" | "iban" | "email" | "phone" | "ssn")[];
                prompt_id: string | null;
            };
            variables: {
                [key: string]: string;
            };
            missing_variables: string[];
            playbooks: {
                name: string;
                display_name: string;
                content: string;
            }[];
            faqs: {
                name: string;
                title: string;
                summary: string;
                content: string;
            }[];
            tools: {
                name: string;
                description: string;
                parameters: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                effect: "read" | "write";
                max_runs: number | null;
                /** @enum {string} */
                runs: "platform" | "runtime";
                code?: string;
                bound?: {
                    [key: string]: string;
                };
            }[];
            unavailable_tools: {
                name: string;
                reason: string;
            }[];
            limits: {
                max_duration_s: number;
            };
        };
        ReportedUserTurn: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user_turn";
            text: string;
            lang?: string;
        };
        ReportedAgentTurn: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent_turn";
            text: string;
            interrupted?: boolean;
            heard?: string;
            lang?: string;
            /** @enum {string} */
            finish?: "length" | "content_filter";
        };
        ReportedToolCall: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call";
            tool_call_id: string;
            name: string;
            arguments: {
                [key: string]: unknown;
            };
        };
        ReportedToolResult: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_result";
            tool_call_id: string;
            ok: boolean;
            result?: unknown;
            duration_ms: number;
        };
        ReportedUsage: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage";
            input_tokens?: number;
            cached_tokens?: number;
            output_tokens?: number;
            audio_ms?: number;
        };
        ReportedLatency: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "latency";
            ms: number;
        };
        ReportedDisposition: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "disposition";
            value: string;
            note?: string;
        };
        ReportedOptOut: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opt_out";
        };
        ReportedEnded: {
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ended";
            reason: string;
        };
        Transfer: {
            to_number: string;
        };
        WidgetKey: {
            /** Format: uuid */
            id: string;
            name: string;
            last8: string;
            /** Format: uuid */
            agent_id: string | null;
            domain_allowlist: string[];
            limits: {
                turns_per_conversation: number | null;
                conversations_per_visitor_day: number | null;
                tokens_per_day: number | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            expires_at: null;
            /** Format: date-time */
            disabled_at: string | null;
        };
        CreatedWidgetKey: {
            /** Format: uuid */
            id: string;
            name: string;
            last8: string;
            /** Format: uuid */
            agent_id: string | null;
            domain_allowlist: string[];
            /** Format: date-time */
            created_at: string;
            expires_at: null;
            key: string | null;
        };
        RevealedWidgetKey: {
            /** Format: uuid */
            id: string;
            key: string;
        };
        WidgetSettings: {
            accent_color: string;
            launcher_label: string;
            /** @enum {string} */
            launcher_position: "top-left" | "top" | "top-right" | "bottom-left" | "bottom" | "bottom-right";
            logo_url: "" | string;
            primary_color: string;
            privacy_notice: string;
        };
        AgentWidgetSettings: {
            /** Format: uuid */
            agent_id: string;
            /** @enum {string} */
            who: "anyone" | "signed_in";
            /** @enum {string} */
            auth_mode: "public" | "authenticated" | "both";
            widget_enabled: boolean;
        };
        VisitorSession: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            expires_in: number;
            refresh_token: string;
            visitor: {
                id: string;
                /** @enum {string} */
                type: "guest" | "user";
            };
            /** Format: uuid */
            agent_id: string;
        };
        WidgetConfig: {
            agent: {
                /** Format: uuid */
                id: string;
                name: string;
                greeting_message: string;
            } | null;
            settings: components["schemas"]["WidgetSettings"];
            /** @enum {string} */
            auth_mode: "public" | "authenticated" | "both";
            enabled: boolean;
            guests: boolean;
            runtime_url: string | null;
        };
        CallLimits: {
            /** @enum {string} */
            plan: "starter" | "growth" | "scale";
            concurrent_calls: {
                limit: number;
                used: number;
            };
            inbound_reserve: number;
            calls_per_minute: {
                limit: number;
                used: number;
                /** Format: date-time */
                resets_at: string;
            };
            calls_per_day: {
                limit: number;
                used: number;
                /** Format: date-time */
                resets_at: string;
            };
        };
        CallSettings: {
            retention_days: number | null;
            record_outbound: boolean;
            record_inbound: boolean;
            recording_announcement: string | null;
            ring_timeout_s: number;
            inbound_reserve: number | null;
            caller_concurrent_calls: number | null;
            caller_calls_per_day: number | null;
            /** @enum {string} */
            voicemail: "hang_up" | "leave_message" | "continue" | "off";
            allowed_destinations: string[] | null;
        };
        PlacedCall: {
            /** Format: uuid */
            call_id: string;
            /** @enum {string} */
            status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
            agent_id: string;
            from_number: string;
            to_number: string;
            provider: string;
            provider_call_id: string | null;
            /** Format: date-time */
            created_at: string;
            recorded: boolean;
            variables: {
                [key: string]: string;
            } | null;
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        Call: {
            /** Format: uuid */
            call_id: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** @enum {string} */
            status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
            agent_id: string;
            /** Format: uuid */
            campaign_id: string | null;
            from_number: string;
            to_number: string;
            provider: string;
            provider_call_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            connected_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            duration_ms: number | null;
            end_reason: components["schemas"]["EndReason"] | null;
            recorded: boolean;
            /** Format: uuid */
            recording_id: string | null;
            variables: {
                [key: string]: string;
            } | null;
            /** Format: uuid */
            conversation_id: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        CallStatistics: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            /** @enum {string} */
            interval: "minute" | "hour" | "day";
            totals: components["schemas"]["CallStatisticsTotals"];
            buckets: components["schemas"]["CallStatisticsBucket"][];
        };
        CallStatisticsBucket: {
            /** Format: date-time */
            at: string;
            calls: number;
            running: number;
            answered: number;
            end_reasons: components["schemas"]["CallsByEndReason"];
            talk_s: number;
            answer_rate: number | null;
        };
        CarrierInstructions: unknown;
        CarrierForm: {
            [key: string]: string;
        };
        CarrierReport: {
            [key: string]: unknown;
        };
        DoNotCallEntry: {
            phone_number: string;
            reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Recording: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            call_id: string;
            agent_id: string;
            /** Format: uuid */
            campaign_id: string | null;
            phone_number: string | null;
            contact_name: string | null;
            content_type: string;
            size_bytes: number;
            duration_ms: number | null;
            /** Format: date-time */
            created_at: string;
        };
        PhoneNumber: {
            /** Format: uuid */
            id: string;
            e164: string;
            /** @enum {string} */
            provider: "twilio" | "telnyx" | "signalwire" | "vonage" | "plivo" | "sandbox";
            /** Format: uuid */
            credentials_id: string | null;
            /** Format: uuid */
            agent_id: string | null;
            inbound_enabled: boolean;
            outbound_enabled: boolean;
            last_check: components["schemas"]["LastNumberCheck"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NumberCheck: {
            /** @enum {string} */
            name: "owned" | "webhook_reachable" | "inbound_address" | "runtime_reachable";
            ok: boolean;
            detail: string;
        };
        TelephonyProvider: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            provider: "twilio" | "telnyx" | "signalwire" | "vonage" | "plivo" | "sandbox";
            label: string;
            credential_keys: string[];
            /** Format: date-time */
            created_at: string;
        };
        CarrierNumber: {
            e164: string;
            capabilities: ("voice" | "sms" | "mms" | "fax")[];
            registered: boolean;
        };
        Conversation: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "call" | "widget" | "test";
            /** @enum {string} */
            status: "ended" | "live";
            /** @enum {string|null} */
            direction: "outbound" | "inbound" | null;
            agent_id: string;
            prompt_id: string | null;
            /** Format: uuid */
            call_id: string | null;
            /** Format: uuid */
            campaign_id: string | null;
            /** Format: uuid */
            contact_id: string | null;
            visitor_id: string | null;
            /** @enum {string|null} */
            visitor_type: "guest" | "user" | null;
            phone_number: string | null;
            contact_name: string | null;
            variables: {
                [key: string]: string;
            } | null;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            duration_ms: number | null;
            end_reason: string | null;
            transferred_to: string | null;
            disposition: string | null;
            turn_count: number;
            tool_call_count: number;
            usage: {
                input_tokens: number;
                cached_tokens: number;
                output_tokens: number;
                audio_ms: number;
                speech_chars: number;
                carrier_s: number;
                tool_runs: number;
            };
            cost: {
                amount_micros: number;
                /** @enum {string} */
                currency: "USD";
                items: {
                    what: string;
                    /** @enum {string} */
                    unit: "million_tokens" | "thousand_characters" | "minute" | "started_minute";
                    quantity: number;
                    unit_micros: number | null;
                    amount_micros: number | null;
                }[];
                complete: boolean;
            } | null;
            latency: {
                first_ms: number | null;
                median_ms: number | null;
                max_ms: number | null;
            };
            complete: boolean;
        };
        ConversationDetail: components["schemas"]["Conversation"] & {
            /** @enum {string} */
            storage: "all" | "redacted" | "metadata";
            turns: components["schemas"]["ConversationTurn"][] | null;
        };
        ConversationTurn: {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            role: "user" | "agent" | "tool";
            text: string;
            interrupted: boolean;
            lang: string | null;
            /** @enum {string|null} */
            finish: "length" | "content_filter" | null;
            tool_call: {
                tool_call_id: string;
                /** Format: uuid */
                run_id: string | null;
                name: string;
                arguments: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                state: "running" | "ok" | "failed" | "unknown";
                ok: boolean | null;
                result?: unknown;
                duration_ms: number | null;
            } | null;
        };
        ConversationStreamEvent: components["schemas"]["ConversationDetail"] | components["schemas"]["ConversationUserTurnEvent"] | components["schemas"]["ConversationAgentTurnEvent"] | components["schemas"]["ConversationToolCallEvent"] | components["schemas"]["ConversationToolResultEvent"] | components["schemas"]["ConversationUsageEvent"] | components["schemas"]["ConversationLatencyEvent"] | components["schemas"]["ConversationDispositionEvent"] | components["schemas"]["ConversationOptOutEvent"] | components["schemas"]["ConversationEndedEvent"];
        ConversationUserTurnEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedUserTurn"];
        InConversation: {
            /** Format: uuid */
            conversation_id: string;
        };
        ConversationAgentTurnEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedAgentTurn"];
        ConversationToolCallEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedToolCall"] & {
            /** Format: uuid */
            run_id?: string;
            /** @enum {string} */
            state?: "running";
        };
        ConversationToolResultEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedToolResult"] & {
            /** Format: uuid */
            run_id?: string;
            /** @enum {string} */
            state?: "ok" | "failed" | "unknown";
        };
        ConversationUsageEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedUsage"];
        ConversationLatencyEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedLatency"];
        ConversationDispositionEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedDisposition"];
        ConversationOptOutEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedOptOut"];
        ConversationEndedEvent: components["schemas"]["InConversation"] & components["schemas"]["ReportedEnded"];
        Event: components["schemas"]["EventCallStarted"] | components["schemas"]["EventCallAnswered"] | components["schemas"]["EventCallEnded"] | components["schemas"]["EventConversationStarted"] | components["schemas"]["EventConversationEnded"] | components["schemas"]["EventRecordingReady"] | components["schemas"]["EventCampaignStarted"] | components["schemas"]["EventCampaignPaused"] | components["schemas"]["EventCampaignResumed"] | components["schemas"]["EventCampaignStopped"] | components["schemas"]["EventCampaignCompleted"] | components["schemas"]["EventContactCompleted"] | components["schemas"]["EventContactFailed"] | components["schemas"]["EventOptOutAdded"] | components["schemas"]["EventToolRunFailed"] | components["schemas"]["EventBudgetWarned"] | components["schemas"]["EventBudgetReached"] | components["schemas"]["EventWebhookDisabled"] | components["schemas"]["EventWebhookMissed"];
        AccountEvent: components["schemas"]["EventCallStarted"] | components["schemas"]["EventCallAnswered"] | components["schemas"]["EventCallEnded"] | components["schemas"]["EventConversationStarted"] | components["schemas"]["EventConversationEnded"] | components["schemas"]["EventRecordingReady"] | components["schemas"]["EventCampaignStarted"] | components["schemas"]["EventCampaignPaused"] | components["schemas"]["EventCampaignResumed"] | components["schemas"]["EventCampaignStopped"] | components["schemas"]["EventCampaignCompleted"] | components["schemas"]["EventContactCompleted"] | components["schemas"]["EventContactFailed"] | components["schemas"]["EventOptOutAdded"] | components["schemas"]["EventToolRunFailed"] | components["schemas"]["EventBudgetWarned"] | components["schemas"]["EventBudgetReached"] | components["schemas"]["EventWebhookDisabled"] | components["schemas"]["EventWebhookMissed"];
        EventType: {
            /** @enum {string} */
            type: "call.started" | "call.answered" | "call.ended" | "conversation.started" | "conversation.ended" | "recording.ready" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.stopped" | "campaign.completed" | "contact.completed" | "contact.failed" | "opt_out.added" | "tool_run.failed" | "budget.warned" | "budget.reached" | "webhook.disabled" | "webhook.missed";
            schema: {
                [key: string]: unknown;
            };
            example: {
                [key: string]: unknown;
            };
        };
        PriceList: {
            prices: components["schemas"]["Price"][];
        };
        Price: {
            what: string;
            /** @enum {string} */
            unit: "million_tokens" | "thousand_characters" | "minute" | "started_minute";
            unit_micros: number | null;
            /** @enum {string} */
            currency: "USD";
            /** Format: date-time */
            since: string | null;
            source: string | null;
        };
        Usage: {
            day?: string;
            agent_id?: string | null;
            campaign_id?: string | null;
            api_key_id?: string | null;
            kind?: string;
            calls: number;
            answered: number;
            conversations: number;
            minutes: number;
            input_tokens: number;
            cached_tokens: number;
            output_tokens: number;
            speech_chars: number;
            carrier_s: number;
            tool_runs: number;
            cost: number;
            cost_incomplete: number;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            types: string[];
            description: string | null;
            agent_ids: string[] | null;
            enabled: boolean;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @enum {string|null} */
            disabled_reason: "requested" | "gone" | "failing" | null;
            content: boolean;
            /** Format: date-time */
            last_delivery_at: string | null;
            /** Format: date-time */
            failing_since: string | null;
            behind: number;
            missed: number;
            /** Format: date-time */
            secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CreatedWebhook: components["schemas"]["Webhook"] & {
            secret: string | null;
        };
        UpdatedWebhook: components["schemas"]["Webhook"] & {
            secret: string | null;
        };
        RotatedWebhookSecret: {
            /** Format: uuid */
            id: string;
            secret: string | null;
            /** Format: date-time */
            secret_expires_at: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            event_id: string;
            type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** Format: date-time */
            created_at: string;
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        WebhookAttempt: {
            /** Format: date-time */
            at: string;
            status_code: number | null;
            duration_ms: number;
            error: string | null;
            response: string | null;
        };
        ListApiKeysResponse: components["schemas"]["ApiKey"][];
        CreateApiKeyRequest: {
            name: string;
            expiry?: string;
            scopes?: ("read" | "listen" | "build" | "connect" | "dial" | "manage" | "runtime")[];
            unattended?: boolean;
            agent_ids?: string[] | null;
            allowed_addresses?: string[] | null;
        };
        UpdateApiKeyRequest: {
            name?: string;
            disabled?: boolean;
            scopes?: ("read" | "listen" | "build" | "connect" | "dial" | "manage" | "runtime")[];
            unattended?: boolean;
            agent_ids?: string[] | null;
            allowed_addresses?: string[] | null;
        };
        ListAuditEntriesResponse: {
            entries: components["schemas"]["AuditEntry"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListOperatorAuditEntriesResponse: {
            entries: components["schemas"]["OperatorAuditEntry"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListPublicAccountsResponse: {
            accounts: components["schemas"]["AccountChoice"][];
            sign_in: {
                password: boolean;
                identity_provider: boolean;
            };
        };
        ValidateAccountResponse: {
            account: string;
            valid: boolean;
        };
        LoginRequest: {
            account: string;
            email: string;
            password: string;
        };
        LoginWithCodeRequest: {
            ticket: string;
            code: string;
        };
        ChangePasswordRequest: {
            current_password: string;
            new_password: string;
            code?: string;
        };
        ResetPasswordRequest: {
            token: string;
            new_password: string;
        };
        GetPublicKeysResponse: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        RefreshSessionRequest: {
            refresh_token: string;
        };
        ListSessionsResponse: {
            sessions: components["schemas"]["OwnSession"][];
            total: number;
        };
        ListBudgetsResponse: {
            budgets: components["schemas"]["Budget"][];
        };
        CreateBudgetRequest: {
            /** @enum {string} */
            scope: "account" | "agent" | "campaign" | "api_key";
            /** Format: uuid */
            scope_id?: string | null;
            /** @enum {string} */
            period: "day" | "month";
            /** @enum {string} */
            unit: "tokens" | "call_minutes" | "usd_micros";
            limit: number;
            warn_at?: number[];
            /** @enum {string} */
            action: "warn" | "stop_new" | "end";
        };
        UpdateBudgetRequest: {
            limit?: number;
            warn_at?: number[];
            /** @enum {string} */
            action?: "warn" | "stop_new" | "end";
        };
        CreateErasureRequest: {
            phone_number?: string;
            visitor_id?: string;
            /** Format: uuid */
            conversation_id?: string;
        };
        ListErasuresResponse: {
            erasures: components["schemas"]["Erasure"][];
            total: number;
            limit: number;
            offset: number;
        };
        GetHealthResponse: {
            /** @enum {boolean} */
            ok: true;
        };
        ListInvitationsResponse: {
            invitations: components["schemas"]["Invitation"][];
            total: number;
        };
        CreateInvitationRequest: {
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
        };
        AcceptInvitationRequest: {
            name: string;
            password: string;
        };
        ListMembersResponse: {
            members: components["schemas"]["Member"][];
            total: number;
        };
        UpdateMemberRequest: {
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
        };
        JoinMembershipsRequest: {
            access_token: string;
        };
        JoinMembershipsResponse: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            expires_in: number;
            account: string;
            accounts: components["schemas"]["AccountChoice"][];
        };
        ListPlansResponse: {
            plans: components["schemas"]["Plan"][];
            total: number;
        };
        ListAccountsResponse: {
            accounts: components["schemas"]["Account"][];
            total: number;
        };
        CreateAccountRequest: {
            name: string;
            display_name?: string;
            /** @enum {string} */
            plan?: "starter" | "growth" | "scale";
            listed?: boolean;
            caps?: components["schemas"]["CapChanges"];
            quotas?: components["schemas"]["QuotaChanges"];
            max_key_expiry_days?: number | null;
            recording_retention_days?: number;
        };
        GetUsageByAccountResponse: {
            usage: components["schemas"]["AccountUsage"][];
            from: string;
            to: string;
        };
        UpdateAccountRequest: {
            display_name?: string;
            /** @enum {string} */
            plan?: "starter" | "growth" | "scale";
            caps?: components["schemas"]["CapChanges"] | null;
            quotas?: components["schemas"]["QuotaChanges"] | null;
            max_key_expiry_days?: number | null;
            recording_retention_days?: number;
            listed?: boolean;
            disabled?: boolean;
            /** Format: date-time */
            sessions_valid_after?: string | null;
        };
        ListAccountUsersResponse: {
            users: components["schemas"]["User"][];
            total: number;
        };
        CreateAccountUserRequest: {
            /** Format: email */
            email: string;
            password: string;
            name?: string;
            /** @enum {string} */
            role?: "owner" | "admin" | "builder" | "operator" | "analyst" | "viewer";
        };
        ReencryptSecretsResponse: {
            resealed: number;
            failed: number;
            left: number;
        };
        UpdatePrivacyRequest: {
            conversations_days?: number | null;
            recordings_days?: number | null;
            calls_days?: number | null;
            events_days?: number | null;
            audit_days?: number | null;
        };
        GetSecondFactorResponse: {
            enabled: boolean;
            recovery_codes_left: number;
        };
        EnrollSecondFactorRequest: {
            code?: string;
        };
        EnrollSecondFactorResponse: {
            secret: string;
            otpauth_url: string;
        };
        RemoveSecondFactorRequest: {
            code: string;
        };
        ConfirmSecondFactorRequest: {
            code: string;
        };
        ConfirmSecondFactorResponse: {
            recovery_codes: string[];
        };
        RenewRecoveryCodesRequest: {
            code: string;
        };
        RenewRecoveryCodesResponse: {
            recovery_codes: string[];
        };
        UpdateSignInPolicyRequest: {
            require_second_factor?: boolean;
            session_hours?: number;
            idle_minutes?: number;
        };
        AttachAgentFaqRequest: {
            faq_id: string;
        };
        AttachAgentPlaybookRequest: {
            playbook_id: string;
        };
        ListAgentToolsResponse: {
            tools: components["schemas"]["AgentTool"][];
        };
        ListAgentPromptsResponse: {
            prompts: components["schemas"]["AgentPrompt"][];
            total: number;
        };
        ListAgentsResponse: components["schemas"]["Agent"][];
        CreateAgentRequest: {
            name: string;
            description?: string;
            /** @enum {string} */
            category?: "customer_support" | "sales" | "operations" | "custom";
            /** @enum {string} */
            status?: "draft" | "active" | "archived";
            /** @enum {string} */
            llm_model?: "gpt-4o" | "gpt-4o-mini" | "claude-3-5-sonnet";
            /** @enum {string} */
            voice_provider?: "cartesia" | "elevenlabs" | "deepgram";
            voice_id?: string;
            system_prompt?: string;
            greeting_message?: string;
            /** @enum {string} */
            greeting_mode?: "interruptible" | "locked";
            /** @enum {string} */
            auth_mode?: "public" | "authenticated";
            background_audio_enabled?: boolean;
            background_audio_volume?: number;
            noise_suppression_enabled?: boolean;
            ringing_enabled?: boolean;
            transfer_targets?: components["schemas"]["TransferTarget"][];
            max_output_tokens?: number;
            /** @enum {string} */
            storage?: "all" | "redacted" | "metadata";
            redact?: ("card" | "iban" | "email" | "phone" | "ssn")[];
            template_id?: string | null;
        };
        UpdateAgentRequest: {
            name?: string;
            description?: string;
            /** @enum {string} */
            category?: "customer_support" | "sales" | "operations" | "custom";
            /** @enum {string} */
            status?: "draft" | "active" | "archived";
            /** @enum {string} */
            llm_model?: "gpt-4o" | "gpt-4o-mini" | "claude-3-5-sonnet";
            /** @enum {string} */
            voice_provider?: "cartesia" | "elevenlabs" | "deepgram";
            voice_id?: string;
            system_prompt?: string;
            greeting_message?: string;
            /** @enum {string} */
            greeting_mode?: "interruptible" | "locked";
            /** @enum {string} */
            auth_mode?: "public" | "authenticated";
            background_audio_enabled?: boolean;
            background_audio_volume?: number;
            noise_suppression_enabled?: boolean;
            ringing_enabled?: boolean;
            transfer_targets?: components["schemas"]["TransferTarget"][];
            max_output_tokens?: number;
            /** @enum {string} */
            storage?: "all" | "redacted" | "metadata";
            redact?: ("card" | "iban" | "email" | "phone" | "ssn")[];
            template_id?: string | null;
        };
        ListFaqsResponse: {
            faqs: components["schemas"]["Faq"][];
            total: number;
        };
        CreateFaqRequest: {
            name: string;
            title?: string;
            summary?: string;
            content?: string;
            category?: string;
            tags?: string[];
        };
        UpdateFaqRequest: {
            name?: string;
            title?: string;
            summary?: string;
            content?: string;
            category?: string;
            tags?: string[];
        };
        ListIntegrationsResponse: {
            integrations: components["schemas"]["Integration"][];
            total: number;
            categories: {
                [key: string]: number;
            };
        };
        InstallIntegrationRequest: {
            params?: {
                [key: string]: string | number | boolean | null;
            };
            secrets?: {
                [key: string]: string | null;
            };
        };
        ListTemplatesResponse: {
            agents: components["schemas"]["AgentTemplate"][];
            total: number;
            limit: number;
            offset: number;
        };
        InstallTemplateRequest: {
            name?: string;
        };
        InstallTemplateResponse: {
            /** Format: uuid */
            agent_id: string;
            /** Format: uuid */
            template_id: string;
            name: string;
            playbooks: string[];
            faqs: string[];
            tools: string[];
        };
        ListTemplateCategoriesResponse: {
            categories: {
                category: string;
                count: number;
            }[];
        };
        ListModelsResponse: {
            models: components["schemas"]["LanguageModel"][];
        };
        ListPlaybooksResponse: {
            playbooks: components["schemas"]["Playbook"][];
            total: number;
            limit: number;
            offset: number;
        };
        CreatePlaybookRequest: {
            name: string;
            display_name?: string;
            description?: string;
            category?: string;
            tags?: string[];
            tool_names?: string[];
            triggers?: string[];
            content?: string;
        };
        UpdatePlaybookRequest: {
            description?: string;
            display_name?: string;
            tags?: string[];
            tool_names?: string[];
            triggers?: string[];
            content?: string;
        };
        ListToolsResponse: {
            tools: components["schemas"]["Tool"][];
            total: number;
            limit: number;
            offset: number;
            categories: {
                [key: string]: number;
            };
        };
        CreateToolRequest: {
            name: string;
            display_name?: string;
            description?: string;
            category?: string;
            /** @enum {string} */
            implementation_type?: "python" | "http";
            implementation_code?: string;
            implementation_config?: {
                [key: string]: unknown;
            };
            schema?: {
                [key: string]: unknown;
            };
            /** @enum {string|null} */
            effect?: "read" | "write" | null;
            max_runs?: number | null;
            bind?: {
                [key: string]: string | {
                    from: string;
                    unverified: boolean;
                };
            };
            tags?: string[];
        };
        UpdateToolRequest: {
            description?: string;
            schema?: {
                [key: string]: unknown;
            };
            implementation_config?: {
                [key: string]: unknown;
            };
            implementation_code?: string;
            /** @enum {string|null} */
            effect?: "read" | "write" | null;
            max_runs?: number | null;
            bind?: {
                [key: string]: string | {
                    from: string;
                    unverified: boolean;
                };
            };
            tags?: string[];
        };
        RunToolRequest: {
            arguments?: {
                [key: string]: unknown;
            };
            bound?: {
                [key: string]: string;
            };
            dry_run?: boolean;
        };
        ListToolRunsResponse: {
            runs: components["schemas"]["ToolRun"][];
        };
        ListCampaignsResponse: {
            campaigns: components["schemas"]["Campaign"][];
            total: number;
        };
        CreateCampaignRequest: {
            name?: string;
            /** Format: uuid */
            agent_id?: string | null;
            from_number?: string | null;
            /** Format: date-time */
            scheduled_at?: string | null;
            timezone?: string;
            schedule_config?: components["schemas"]["CallingWindow"][] | null;
            max_concurrency?: number | null;
            calls_per_minute?: number | null;
            retry_config?: {
                max_attempts?: number;
                retry_interval_minutes?: number;
                intervals_minutes?: number[];
                retry_on?: ("busy" | "no_answer" | "failed" | "machine")[];
            };
            /** @enum {string} */
            voicemail?: "hang_up" | "leave_message" | "continue" | "off" | "retry";
            record?: boolean | null;
            default_country?: string | null;
            /** @enum {string} */
            on_invalid?: "reject" | "skip";
            columns?: {
                [key: string]: string | null;
            };
            rows?: {
                [key: string]: {
                    [key: string]: string;
                } | null;
            };
            /** Format: binary */
            contacts: string;
        };
        AddCampaignContactsRequest: {
            default_country?: string | null;
            /** @enum {string} */
            on_invalid?: "reject" | "skip";
            columns?: {
                [key: string]: string | null;
            };
            rows?: {
                [key: string]: {
                    [key: string]: string;
                } | null;
            };
            /** Format: binary */
            contacts: string;
        };
        AddCampaignContactsResponse: {
            accepted: number;
            rejected: number;
            duplicates: number;
        };
        ListCampaignContactsResponse: {
            contacts: components["schemas"]["Contact"][];
            total: number | null;
            limit: number;
            offset: number;
            /** Format: uuid */
            next: string | null;
        };
        UpdateCampaignRequest: {
            name?: string;
            /** Format: uuid */
            agent_id?: string | null;
            from_number?: string | null;
            /** Format: date-time */
            scheduled_at?: string | null;
            timezone?: string;
            schedule_config?: components["schemas"]["CallingWindow"][] | null;
            max_concurrency?: number | null;
            calls_per_minute?: number | null;
            retry_config?: {
                max_attempts?: number | null;
                retry_interval_minutes?: number | null;
                intervals_minutes?: number[] | null;
                retry_on?: ("busy" | "no_answer" | "failed" | "machine")[] | null;
            } | null;
            /** @enum {string|null} */
            voicemail?: "hang_up" | "leave_message" | "continue" | "off" | "retry" | null;
            record?: boolean | null;
        };
        GetCampaignContactResponse: components["schemas"]["Contact"] & {
            attempts: {
                attempt: number;
                /** Format: uuid */
                call_id: string;
                /** @enum {string} */
                status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
                outcome: string | null;
                reason: string | null;
                message_left: boolean;
                /** Format: uuid */
                conversation_id: string | null;
                disposition: string | null;
                provider: string;
                provider_call_id: string | null;
                /** Format: date-time */
                dialled_at: string;
                /** Format: date-time */
                connected_at: string | null;
                /** Format: date-time */
                ended_at: string | null;
            }[];
            waiting_for: string | null;
        };
        CorrectCampaignContactRequest: {
            phone_number?: string;
            variables?: {
                [key: string]: string | null;
            };
        };
        RedialCampaignRequest: {
            outcomes: ("busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "do_not_call" | "unknown")[];
        };
        CloneCampaignRequest: {
            name?: string;
            contacts: ("none" | "all") | ("answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "do_not_call" | "unknown" | "not_called")[];
        };
        CountCampaignOutcomesResponse: {
            outcomes: {
                answered: number;
                busy: number;
                no_answer: number;
                failed: number;
                rejected: number;
                machine: number;
                canceled: number;
                do_not_call: number;
                unknown: number;
                not_called: number;
            };
        };
        CreateCampaignEventsTicketResponse: {
            url: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        CreateAgentSessionRequest: {
            variables?: {
                [key: string]: string;
            };
        };
        ReportRuntimeEventsRequest: {
            events: (components["schemas"]["ReportedUserTurn"] | components["schemas"]["ReportedAgentTurn"] | components["schemas"]["ReportedToolCall"] | components["schemas"]["ReportedToolResult"] | components["schemas"]["ReportedUsage"] | components["schemas"]["ReportedLatency"] | components["schemas"]["ReportedDisposition"] | components["schemas"]["ReportedOptOut"] | components["schemas"]["ReportedEnded"])[];
        };
        ReportRuntimeEventsResponse: {
            accepted_through: number;
        };
        UseRuntimeToolRequest: {
            tool_call_id?: string;
            arguments?: {
                [key: string]: unknown;
            };
        };
        UseRuntimeToolResponse: {
            /** Format: uuid */
            run_id: string | null;
            /** @enum {string} */
            state: "ok" | "failed" | "unknown";
            ok: boolean;
            result?: unknown;
            duration_ms: number;
        };
        ListWidgetKeysResponse: components["schemas"]["WidgetKey"][];
        CreateWidgetKeyRequest: {
            name: string;
            agent_id?: string | "" | null;
            domain_allowlist?: string[];
        };
        UpdateWidgetKeyRequest: {
            name?: string;
            agent_id?: string | "" | null;
            domain_allowlist?: string[];
            limits?: {
                turns_per_conversation?: number | null;
                conversations_per_visitor_day?: number | null;
                tokens_per_day?: number | null;
            };
            disabled?: boolean;
        };
        UpdateWidgetSettingsRequest: {
            accent_color?: string;
            launcher_label?: string;
            /** @enum {string} */
            launcher_position?: "top-left" | "top" | "top-right" | "bottom-left" | "bottom" | "bottom-right";
            logo_url?: "" | string;
            primary_color?: string;
            privacy_notice?: string;
        };
        UpdateAgentWidgetSettingsRequest: {
            /** Format: uuid */
            agent_id?: string;
            /** @enum {string} */
            who?: "anyone" | "signed_in";
            /** @enum {string} */
            auth_mode?: "public" | "authenticated" | "both";
            widget_enabled?: boolean;
        };
        CreateGuestSessionRequest: {
            client_key: string;
        };
        CreateVisitorTokenRequest: {
            client_key: string;
            user_id: string;
        };
        CreateVisitorTokenResponse: {
            visitor_token: string | null;
            expires_in: number;
        };
        ExchangeVisitorTokenRequest: {
            visitor_token: string;
        };
        RefreshVisitorSessionRequest: {
            refresh_token: string;
        };
        IntrospectVisitorSessionRequest: {
            token: string;
        };
        IntrospectVisitorSessionResponse: {
            /** @enum {boolean} */
            active: true;
            sub: string;
            /** @enum {string} */
            visitor_type: "guest" | "user";
            /** Format: uuid */
            agent_id: string;
            /** Format: date-time */
            expires_at: string;
        } | {
            /** @enum {boolean} */
            active: false;
            /** @enum {string} */
            reason: "guest_not_allowed" | "widget_disabled" | "key_disabled" | "expired" | "invalid";
        };
        UpdateCallSettingsRequest: {
            retention_days?: number | null;
            record_outbound?: boolean;
            record_inbound?: boolean;
            recording_announcement?: string | null;
            ring_timeout_s?: number;
            inbound_reserve?: number | null;
            caller_concurrent_calls?: number | null;
            caller_calls_per_day?: number | null;
            /** @enum {string} */
            voicemail?: "hang_up" | "leave_message" | "continue" | "off";
            allowed_destinations?: string[] | null;
        };
        OriginateCallRequest: {
            agent_id: string;
            from_number: string;
            to_number: string;
            variables?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            voicemail?: "hang_up" | "leave_message" | "continue" | "off";
            record?: boolean;
        };
        ListCallsResponse: {
            calls: components["schemas"]["Call"][];
            total: number;
            limit: number;
            offset: number;
            total_at_least: boolean;
            next: string | null;
        };
        ListDoNotCallResponse: {
            numbers: components["schemas"]["DoNotCallEntry"][];
            total: number;
            limit: number;
            offset: number;
        };
        AddDoNotCallRequest: {
            numbers: string[];
            reason?: string;
        };
        AddDoNotCallResponse: {
            added: number;
        };
        CallSandboxNumberRequest: {
            to_number: string;
            from_number?: string;
            says?: string[];
        };
        ListRecordingsResponse: {
            recordings: components["schemas"]["Recording"][];
            total: number;
            limit: number;
            offset: number;
            total_at_least: boolean;
            next: string | null;
        };
        GetRecordingUrlResponse: {
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        ListPhoneNumbersResponse: {
            numbers: components["schemas"]["PhoneNumber"][];
            total: number;
        };
        CreatePhoneNumberRequest: {
            e164: string;
            /** @enum {string} */
            provider?: "twilio" | "telnyx" | "signalwire" | "vonage" | "plivo" | "sandbox";
            credentials_id?: string | null;
            agent_id?: string | null;
            inbound_enabled?: boolean;
            outbound_enabled?: boolean;
        };
        UpdatePhoneNumberRequest: {
            agent_id: string | null;
        };
        CheckPhoneNumberResponse: {
            checks: components["schemas"]["NumberCheck"][];
        };
        ListTelephonyProvidersResponse: {
            providers: components["schemas"]["TelephonyProvider"][];
            total: number;
        };
        CreateTelephonyProviderRequest: {
            /** @enum {string} */
            provider: "twilio" | "telnyx" | "signalwire" | "vonage" | "plivo" | "sandbox";
            label?: string;
            credentials: {
                [key: string]: unknown;
            };
        };
        VerifyTelephonyProviderResponse: {
            ok: boolean;
            detail: string;
            answered: boolean;
        };
        ListCarrierNumbersResponse: {
            numbers: components["schemas"]["CarrierNumber"][];
            truncated: boolean;
        };
        ListConversationsResponse: {
            conversations: components["schemas"]["Conversation"][];
            limit: number;
            next: string | null;
        };
        ListEventsResponse: {
            events: components["schemas"]["Event"][];
            next: string | null;
            /** Format: date-time */
            oldest: string | null;
        };
        CreateEventsTicketResponse: {
            url: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        ListEventTypesResponse: components["schemas"]["EventType"][];
        UpdatePricesRequest: {
            prices: {
                what: string;
                unit_micros: number | null;
            }[];
        };
        GetUsageResponse: {
            usage: components["schemas"]["Usage"][];
            from: string;
            to: string;
        };
        ListWebhooksResponse: {
            webhooks: components["schemas"]["Webhook"][];
            total: number;
        };
        CreateWebhookRequest: {
            url: string;
            types: string[];
            description?: string | null;
            agent_ids?: string[] | null;
            enabled?: boolean;
        };
        UpdateWebhookRequest: {
            url?: string;
            types?: string[];
            description?: string | null;
            agent_ids?: string[] | null;
            enabled?: boolean;
        };
        ListWebhookDeliveriesResponse: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            next: string | null;
        };
        ResendFailedWebhookDeliveriesRequest: {
            /** Format: date-time */
            since: string;
        };
        ResendFailedWebhookDeliveriesResponse: {
            deliveries: number;
        };
    };
    responses: {
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ChangedMeanwhile: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-error-code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorMessage"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        AccountId: string;
        IdempotencyKey: string;
        IfMatch: string;
    };
    requestBodies: never;
    headers: {
        RequestId: string;
        ErrorCode: string;
        RetryAfter: number;
        AcceptRanges: string;
        ContentRange: string;
        ContentDisposition: string;
        ETag: string;
        Location: string;
        IdempotentReplayed: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                action?: string;
                resource?: string;
                actor?: string;
                since?: string;
                until?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditEntriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listOperatorAuditEntries: {
        parameters: {
            query?: {
                account?: string;
                action?: string;
                resource?: string;
                actor?: string;
                since?: string;
                until?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOperatorAuditEntriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listPublicAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPublicAccountsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    validateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateAccountResponse"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    startLogin: {
        parameters: {
            query?: {
                account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    loginWithCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginWithCodeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getPublicKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPublicKeysResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                    "text/html": string;
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshSessionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listBudgets: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBudgetsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createBudget: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBudgetRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getBudget: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteBudget: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateBudget: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBudgetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getConfirmation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    approveConfirmation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    declineConfirmation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listErasures: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListErasuresResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createErasure: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateErasureRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Index"];
                };
            };
            302: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            421: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getApiIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Index"];
                };
            };
            400: components["responses"]["BadRequest"];
            421: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            421: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvitationsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMembersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                keys?: "keep" | "disable";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createResetLink: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    joinMemberships: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JoinMembershipsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinMembershipsResponse"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPlansResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccountsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getUsageByAccount: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsageByAccountResponse"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                account: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listAccountUsers: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccountUsersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createAccountUser: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                account: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountUserRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteAccountUser: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                account: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    signOutAccountUser: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                account: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    reencryptSecrets: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReencryptSecretsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPrivacy: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Privacy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updatePrivacy: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePrivacyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Privacy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getQuotas: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quotas"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSecondFactorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    enrollSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EnrollSecondFactorRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollSecondFactorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoveSecondFactorRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSecondFactorRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmSecondFactorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewRecoveryCodesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewRecoveryCodesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSignInPolicy: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateSignInPolicy: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSignInPolicyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    attachAgentFaq: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachAgentFaqRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    detachAgentFaq: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
                faqId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    attachAgentPlaybook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachAgentPlaybookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    detachAgentPlaybook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
                playbookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listAgentTools: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentToolsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    putAgentTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentToolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTool"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    setAgentTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentToolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTool"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteAgentTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
                toolName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    orderAgentAttachments: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentOrder"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listAgentPrompts: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentPromptsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    activateAgentPrompt: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                promptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listFaqs: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFaqsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createFaq: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFaqRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Faq"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getFaq: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Faq"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateFaq: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFaqRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Faq"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteFaq: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                category?: string;
                status?: "installed" | "available";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListIntegrationsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    installIntegration: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InstallIntegrationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uninstallIntegration: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    verifyIntegration: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listMcpConnections: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservedList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listNativeTools: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservedList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                category?: string;
                search?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTemplatesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    installTemplate: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InstallTemplateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallTemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listTemplateCategories: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTemplateCategoriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listPlaybooks: {
        parameters: {
            query?: {
                category?: string;
                search?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPlaybooksResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createPlaybook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlaybookRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playbook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getPlaybook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playbook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updatePlaybook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePlaybookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playbook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deletePlaybook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listTools: {
        parameters: {
            query?: {
                category?: string;
                type?: "python" | "http";
                search?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListToolsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToolRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateToolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    runTool: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunToolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolRunResult"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listToolRuns: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListToolRunsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCampaignsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateCampaignRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listCampaignContacts: {
        parameters: {
            query?: {
                status?: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
                outcome?: "answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "do_not_call" | "unknown";
                phone_number?: string;
                search?: string;
                after?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCampaignContactsResponse"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    addCampaignContacts: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddCampaignContactsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddCampaignContactsResponse"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCampaignRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    startCampaign: {
        parameters: {
            query?: {
                strict?: "true" | "false";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: {
                strict?: "true" | "false";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    stopCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getCampaignContact: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCampaignContactResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    correctCampaignContact: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectCampaignContactRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    cancelCampaignContact: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    redialCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedialCampaignRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignRedial"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    cloneCampaign: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloneCampaignRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countCampaignOutcomes: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountCampaignOutcomesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getCampaignPlan: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    streamCampaignEvents: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["CampaignEvent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    createCampaignEventsTicket: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignEventsTicketResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    streamCampaignEventsByTicket: {
        parameters: {
            query: {
                ticket: string;
                last_event_id?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["CampaignEvent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    exportCampaignContacts: {
        parameters: {
            query?: {
                status?: "pending" | "originated" | "connected" | "completed" | "failed" | "cancelled";
                outcome?: "answered" | "busy" | "no_answer" | "failed" | "rejected" | "machine" | "canceled" | "do_not_call" | "unknown";
                phone_number?: string;
                search?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    exportCampaignRejects: {
        parameters: {
            query?: {
                for?: "spreadsheet";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    exportCampaignDuplicates: {
        parameters: {
            query?: {
                for?: "spreadsheet";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    exportCampaignHistory: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAgentSession: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateAgentSessionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getRuntimeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    reportRuntimeEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportRuntimeEventsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportRuntimeEventsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    useRuntimeTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseRuntimeToolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UseRuntimeToolResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    hangUpRuntimeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transferRuntimeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Transfer"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWidgetKeys: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWidgetKeysResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createWidgetKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWidgetKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWidgetKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    revealWidgetKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedWidgetKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWidgetKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateWidgetKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWidgetKeyRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getWidgetSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateWidgetSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWidgetSettingsRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAgentWidgetSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentWidgetSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateAgentWidgetSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgentWidgetSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentWidgetSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createGuestSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGuestSessionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    createVisitorToken: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVisitorTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateVisitorTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    exchangeVisitorToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeVisitorTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    refreshVisitorSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshVisitorSessionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorSession"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    introspectVisitorSession: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntrospectVisitorSessionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntrospectVisitorSessionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getWidgetConfig: {
        parameters: {
            query: {
                client_key: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetConfig"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getCallLimits: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getCallSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateCallSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCallSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    originateCall: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OriginateCallRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedCall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                agent_id?: string;
                campaign_id?: string;
                status?: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
                phone_number?: string;
                since?: string;
                until?: string;
                limit?: number;
                offset?: number;
                after?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCallsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    exportCalls: {
        parameters: {
            query?: {
                agent_id?: string;
                campaign_id?: string;
                status?: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
                phone_number?: string;
                since?: string;
                until?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getCallStatistics: {
        parameters: {
            query?: {
                since?: string;
                until?: string;
                interval?: "minute" | "hour" | "day";
                agent_id?: string;
                campaign_id?: string;
                direction?: "outbound" | "inbound";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallStatistics"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    hangUpCall: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveCallWebhook: {
        parameters: {
            query?: {
                campaign?: string;
                credentials?: string;
                token?: string;
                transfer?: string;
                message?: "1";
            };
            header?: never;
            path: {
                provider: string;
                account: string;
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CarrierForm"];
                "application/json": components["schemas"]["CarrierReport"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/json": components["schemas"]["CarrierInstructions"];
                };
            };
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listDoNotCall: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDoNotCallResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    addDoNotCall: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDoNotCallRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddDoNotCallResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    removeDoNotCall: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                e164: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    answerInboundCall: {
        parameters: {
            query?: {
                credentials?: string;
            };
            header?: never;
            path: {
                provider: string;
                account: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CarrierForm"];
                "application/json": components["schemas"]["CarrierReport"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/json": components["schemas"]["CarrierInstructions"];
                };
            };
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    callSandboxNumber: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallSandboxNumberRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedCall"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listRecordings: {
        parameters: {
            query?: {
                call_id?: string;
                agent_id?: string;
                limit?: number;
                offset?: number;
                after?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRecordingsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getRecording: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteRecording: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getRecordingUrl: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRecordingUrlResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    playRecording: {
        parameters: {
            query?: {
                expires?: string;
                by?: string;
                signature?: string;
            };
            header?: {
                Range?: string;
                "If-Range"?: string;
            };
            path: {
                account: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": string;
                    "audio/wav": string;
                };
            };
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": string;
                    "audio/wav": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            416: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listPhoneNumbers: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPhoneNumbersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createPhoneNumber: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePhoneNumberRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getPhoneNumber: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deletePhoneNumber: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updatePhoneNumber: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePhoneNumberRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    checkPhoneNumber: {
        parameters: {
            query?: {
                fix?: "inbound";
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckPhoneNumberResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTelephonyProviders: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTelephonyProvidersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createTelephonyProvider: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTelephonyProviderRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelephonyProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTelephonyProvider: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    verifyTelephonyProvider: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyTelephonyProviderResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCarrierNumbers: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCarrierNumbersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                agent_id?: string;
                campaign_id?: string;
                contact_id?: string;
                call_id?: string;
                kind?: "call" | "widget" | "test";
                disposition?: string;
                phone_number?: string;
                since?: string;
                until?: string;
                limit?: number;
                after?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListConversationsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    exportConversations: {
        parameters: {
            query?: {
                agent_id?: string;
                campaign_id?: string;
                contact_id?: string;
                call_id?: string;
                kind?: "call" | "widget" | "test";
                disposition?: string;
                phone_number?: string;
                since?: string;
                until?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConversationTranscript: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    streamConversationEvents: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ConversationStreamEvent"];
                };
            };
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                types?: string;
                since?: string;
                after?: string;
                limit?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                types?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["AccountEvent"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    createEventsTicket: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateEventsTicketResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    streamEventsByTicket: {
        parameters: {
            query: {
                ticket: string;
                types?: string;
                last_event_id?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["AccountEvent"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventTypesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getPrices: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updatePrices: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePricesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                group_by?: string;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsageResponse"];
                    "text/csv": string;
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedWebhook"];
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed";
                type?: string;
                since?: string;
                after?: string;
                limit?: number;
            };
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    resendFailedWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                "X-Account-ID"?: components["parameters"]["AccountId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendFailedWebhookDeliveriesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendFailedWebhookDeliveriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorMessage"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    onCallStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCallStarted"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallAnswered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCallAnswered"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCallEnded"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventConversationStarted"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventConversationEnded"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecordingReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventRecordingReady"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCampaignStarted"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignPaused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCampaignPaused"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCampaignResumed"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignStopped: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCampaignStopped"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCampaignCompleted"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventContactCompleted"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventContactFailed"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOptOutAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOptOutAdded"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onToolRunFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventToolRunFailed"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBudgetWarned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBudgetWarned"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBudgetReached: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBudgetReached"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventWebhookDisabled"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookMissed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventWebhookMissed"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
