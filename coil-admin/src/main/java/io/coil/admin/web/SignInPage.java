package io.coil.admin.web;

import io.coil.admin.access.SignIn;
import io.coil.kubernetes.api.ApiFailure;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /sign-in}: with a token, or by a link that is good once. */
@Controller
class SignInPage {
    private final SignIn signIn;

    SignInPage(SignIn signIn) {
        this.signIn = signIn;
    }

    @GetMapping("/sign-in")
    String show(
            @RequestParam(name = "token", required = false) @Nullable String code,
            @RequestParam(required = false) @Nullable String out,
            @RequestParam(defaultValue = "") String next,
            HttpServletRequest request,
            HttpServletResponse response,
            Model model) {
        if (code != null) {
            return result(signIn.byLink(code, request, response), next, response, model);
        }
        model.addAttribute("message", out == null ? "" : "You are signed out.");
        model.addAttribute("next", next);
        return "sign-in";
    }

    @PostMapping("/sign-in")
    String send(
            @RequestParam(defaultValue = "") String token,
            @RequestParam(defaultValue = "") String next,
            HttpServletRequest request,
            HttpServletResponse response,
            Model model) {
        return result(signIn.byToken(token.strip(), request, response), next, response, model);
    }

    private static String result(
            SignIn.Result result, String next, HttpServletResponse response, Model model) {
        String message =
                switch (result) {
                    case SignIn.Result.Done() -> "";
                    case SignIn.Result.Unknown() ->
                            "The Kubernetes API does not know that token. It may have ended.";
                    case SignIn.Result.UsedLink() ->
                            "That link has been used, or is too old. Sign in with a token instead.";
                    case SignIn.Result.MayNotLook(String name) ->
                            "You are %s, but you may not look: kubectl auth can-i get addressblocks.coil.cybozu.com"
                                    .formatted(name);
                    case SignIn.Result.Silent(ApiFailure failure) ->
                            "The Kubernetes API is not answering; it is needed to sign in. Try again in a little.";
                };
        if (result instanceof SignIn.Result.Done) {
            return "redirect:" + local(next);
        }
        response.setStatus(
                result instanceof SignIn.Result.Silent
                        ? HttpStatus.SERVICE_UNAVAILABLE.value()
                        : HttpStatus.UNAUTHORIZED.value());
        model.addAttribute("message", message);
        model.addAttribute("next", next);
        return "sign-in";
    }

    /** Only ever to a page of ours, whatever the address says. */
    static String local(String next) {
        return next.matches("/[A-Za-z0-9?][A-Za-z0-9._~?&=%:/-]*") ? next : "/";
    }
}
